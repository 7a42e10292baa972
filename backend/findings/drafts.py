"""Signature drafts made from a node of a profile."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ingest.model.selection import EVERYTHING

if TYPE_CHECKING:
    from backend.profiles.views import ProfileHandle


def of_node(handle: ProfileHandle, node: int) -> tuple[str, str]:
    """Return id and `signature.yaml` of a draft that matches the stack of `node`.

    Raises:
        NotComputedError: It failed, or the stored reading is damaged.
        NotFoundError: The profile has no such node.
        UnsupportedQueryError: No condition can express it.
    """
    name, text = json.loads(handle.ask("draft", EVERYTHING, what="the draft", node=node))
    return name, text
