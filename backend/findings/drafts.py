"""Signature drafts made from a node of a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.errors import UnsupportedQueryError
from backend.profiles.service import check_node
from signatures.authoring.draft_stack import draft_of_stack

if TYPE_CHECKING:
    from backend.profiles.views import ProfileHandle


def of_node(handle: ProfileHandle, node: int) -> tuple[str, str]:
    """Return id and `signature.yaml` of a draft that matches the stack of `node`.

    Raises:
        NotFoundError: The profile has no such node.
        UnsupportedQueryError: No condition can express it.
    """
    profile = handle.profile()
    check_node(profile, node)
    try:
        return draft_of_stack(profile, node, handle.place.evidence_name)
    except ValueError as problem:
        raise UnsupportedQueryError(str(problem)) from problem
