"""What judging a case again changed: verdicts that people see, and the headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

from sqlalchemy import select

from backend.models import Change, Finding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from signatures.documents.finding import FindingDocument

MATCH, SUSPECT = "match", "suspect"
SHOWN = frozenset({MATCH, SUSPECT})
"""Verdicts that say something; a change between the others is none to people."""


class Judged(NamedTuple):
    """A verdict and the title of its signature."""

    verdict: str
    title: str


class Place(NamedTuple):
    """What a verdict is about."""

    host: str
    phase: str
    signature: str


class VerdictChange(TypedDict):
    """A verdict that became another; null where people see none."""

    host: str
    phase: str
    signature: str
    title: str
    before: str | None
    after: str | None


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


def differences(before: Mapping[Place, Judged], after: Mapping[Place, Judged]) -> list[VerdictChange]:
    """Return the verdicts that became another, by place; null where nothing was seen."""
    found: list[VerdictChange] = []
    for place in sorted(before.keys() | after.keys()):
        was, now = before.get(place), after.get(place)
        if (was and was.verdict) != (now and now.verdict):
            title = (now or was or Judged("", "")).title
            found.append(
                {
                    "host": place.host,
                    "phase": place.phase,
                    "signature": place.signature,
                    "title": title,
                    "before": was and was.verdict,
                    "after": now and now.verdict,
                }
            )
    return found


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
