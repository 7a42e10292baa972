"""Queries for hunts and for the cases that they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.access.decisions import visible
from backend.core.errors import NotFoundError
from backend.hunts.schemas import HuntedCaseRead, HuntedVerdict, HuntRead
from backend.libraries.queries import with_paths
from backend.models import Case, Hunt, HuntedCase, LibraryVersion, TeamLibrary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page


def hunts(session: Session, page: Page) -> list[HuntRead]:
    """Return a page of the hunts, newest first."""
    found = page.of(session, select(Hunt), Hunt.id, is_descending=True)
    return describe(session, [hunt for (hunt,) in found])


def hunt_of_id(session: Session, hunt_id: UUID) -> Hunt:
    """Return one hunt.

    Raises:
        NotFoundError: There is none.
    """
    hunt = session.get(Hunt, hunt_id)
    if hunt is None:
        raise NotFoundError(f"there is no hunt {hunt_id}")
    return hunt


def describe(session: Session, found: Sequence[Hunt]) -> list[HuntRead]:
    """Return the response documents of hunts."""
    query = select(LibraryVersion.id, TeamLibrary.name, LibraryVersion.commit).join(
        TeamLibrary, TeamLibrary.id == LibraryVersion.library_id
    )
    rows = session.execute(query.where(LibraryVersion.id.in_({hunt.version_id for hunt in found})))
    versions = {version_id: (name, commit) for version_id, name, commit in rows}
    return [
        HuntRead(
            id=hunt.id,
            library=versions[hunt.version_id][0],
            commit=versions[hunt.version_id][1],
            version_id=hunt.version_id,
            applies=hunt.applies,
            state=hunt.state.value,
            author=hunt.author,
            created_at=hunt.created_at,
            finished_at=hunt.finished_at,
            signatures=list(hunt.signatures),
            total=hunt.total,
            done=hunt.done,
            judged=hunt.judged,
            gained=hunt.gained,
            lost=hunt.lost,
            failed=hunt.failed,
            reason=hunt.reason,
        )
        for hunt in found
    ]


def cases(session: Session, hunt: Hunt, principal: Principal, page: Page) -> list[HuntedCaseRead]:
    """Return a page of the visible cases that a hunt changes, from new to old."""
    query = (
        select(HuntedCase, Case.number, Case.title)
        .join(Case, Case.id == HuntedCase.case_id)
        .where(HuntedCase.hunt_id == hunt.id, visible(principal), Case.deleted_at.is_(None))
    )
    rows = page.of(session, query, HuntedCase.case_id, is_descending=True)
    lines = with_paths(session, [verdict["lines"] for row, _, _ in rows for verdict in row.verdicts])
    placed = iter(lines)
    return [
        HuntedCaseRead(
            case_id=row.case_id,
            case_number=number,
            case_title=title,
            change=row.change,
            at=row.created_at,
            verdicts=[HuntedVerdict(**{**verdict, "lines": next(placed)}) for verdict in row.verdicts],
            reason=row.reason,
        )
        for row, number, title in rows
    ]
