"""Changes of several cases in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.cases import queries, service
from backend.cases.schemas import MAX_TAGS
from backend.core.errors import UnsupportedQueryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from backend.models.case import Case


def update(session: Session, cases: Sequence[Case], changes: dict[str, Any], *, actor: str) -> None:
    """Apply `changes` (the fields of `CasesUpdate`) to all cases.

    Raises:
        UnsupportedQueryError: The assignee does not see one of the cases, or it would have too many tags.
    """
    added, removed = set(changes.pop("add_tags", ())), set(changes.pop("remove_tags", ()))
    # In one order: two such requests wait for each other instead of ending each other.
    for case in sorted(cases, key=lambda one: one.id):
        queries.hold(session, case.id)
        tags = (set(case.tags) | added) - removed
        if len(tags) > MAX_TAGS:
            raise UnsupportedQueryError(f"case {case.number} would have {len(tags)} of {MAX_TAGS} tags")
        service.update(session, case, {**changes, "tags": sorted(tags)}, actor=actor)
