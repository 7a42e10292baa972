"""What judging a case again changed: verdicts that people see, and the headline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.models import Change, Finding
from signatures.reporting.verdict_changes import MATCH, SHOWN, SUSPECT, Judged, Place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from signatures.documents.finding import FindingDocument
    from signatures.reporting.verdict_changes import VerdictChange


def stored(session: Session, case_id: UUID) -> dict[Place, Judged]:
    """Return the stored verdicts of a case that people see."""
    query = select(Finding.host, Finding.phase, Finding.signature, Finding.verdict, Finding.title)
    rows = session.execute(query.where(Finding.case_id == case_id, Finding.verdict.in_(SHOWN)))
    return {Place(*row[:3]): Judged(*row[3:]) for row in rows}


def judged(documents: Sequence[FindingDocument]) -> dict[Place, Judged]:
    """Return the verdicts of a judgement that people see."""
    return {
        Place(one.host, one.phase, one.signature): Judged(one.verdict, one.title)
        for one in documents
        if one.verdict in SHOWN
    }


def kind_of(verdicts: Sequence[VerdictChange], *, is_headline_new: bool) -> Change:
    """Return the most important change."""
    kinds = {_kind(one["before"], one["after"]) for one in verdicts}
    if is_headline_new:
        kinds.add(Change.HEADLINE)
    return next((kind for kind in Change if kind in kinds), Change.NONE)


def _kind(before: str | None, after: str | None) -> Change:
    if before == MATCH:
        return Change.LOST_MATCH
    if after == MATCH:
        return Change.SUSPECT_TO_MATCH if before == SUSPECT else Change.NEW_MATCH
    return Change.SUSPECT
