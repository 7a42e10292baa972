"""How often a fix worked: closed cases by signature and fix, counted by the outcome of their recordings.

A success is a case whose finding is gone in recordings that compare: the same class of machine, the same
programs, a comparable rate of work. Everything else is counted apart.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Literal

from sqlalchemy import and_, func, select

from backend.access.decisions import visible
from backend.core.db.base import among
from backend.findings import phases
from backend.findings.schemas_phases import FixOutcome
from backend.models.case import Case
from backend.models.incident_event import IncidentEvent, IncidentEventKind

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from uuid import UUID

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.findings.schemas_phases import PhaseRow

Outcome = Literal["successes", "failures", "not_compared"]
MAX_CASES = 50
"""Latest closed cases that are counted: each is compared on the request."""


def of_signature(session: Session, principal: Principal, signature: str) -> list[FixOutcome]:
    """Return the fixes of closed cases that the principal sees, the one with most successes first."""
    return _outcomes(session, and_(Case.cause_signature == signature, visible(principal)), signature)


def of_cases(session: Session, case_ids: Collection[UUID]) -> list[FixOutcome]:
    """Return the fixes of those of these cases that are closed; no finding says whether one helped."""
    return _outcomes(session, among(Case.id, case_ids), "")


def _outcomes(session: Session, are_meant: ColumnElement[bool], signature: str) -> list[FixOutcome]:
    query = (
        select(Case)
        .where(Case.state == "closed", Case.fix != "", Case.deleted_at.is_(None), are_meant)
        .order_by(Case.closed_at.desc(), Case.id)
        .limit(MAX_CASES)
    )
    cases = list(session.scalars(query))
    seconds = mitigation_seconds(session, [case.id for case in cases])
    by_fix: dict[str, FixOutcome] = {}
    taken: dict[str, list[float]] = {}
    for case in cases:
        counted = by_fix.setdefault(case.fix, FixOutcome(fix=case.fix))
        counted.cases += 1
        name = outcome_of(_rows(session, case, signature))
        setattr(counted, name, getattr(counted, name) + 1)
        if case.id in seconds:
            taken.setdefault(case.fix, []).append(seconds[case.id])
    for fix, times in taken.items():
        by_fix[fix].mitigated, by_fix[fix].mitigation_seconds = len(times), median(times)
    return sorted(by_fix.values(), key=lambda one: (-one.successes, one.failures, -one.cases, one.fix))


def mitigation_seconds(session: Session, case_ids: Collection[UUID]) -> dict[UUID, float]:
    """Return the time from start, else detection, to mitigation, else resolution, as people stated them."""
    first = func.min(IncidentEvent.at)
    times = {kind: first.filter(IncidentEvent.kind == kind) for kind in IncidentEventKind}
    began = func.coalesce(times[IncidentEventKind.STARTED], times[IncidentEventKind.DETECTED])
    ended = func.coalesce(times[IncidentEventKind.MITIGATED], times[IncidentEventKind.RESOLVED])
    query = (
        select(IncidentEvent.case_id, func.extract("epoch", ended - began))
        .where(among(IncidentEvent.case_id, case_ids), IncidentEvent.deleted_at.is_(None))
        .group_by(IncidentEvent.case_id)
        .having(ended >= began)
    )
    return {case_id: float(seconds) for case_id, seconds in session.execute(query)}


def _rows(session: Session, case: Case, signature: str) -> list[PhaseRow]:
    rows = phases.of_case(session, case).rows if signature else []
    return [row for row in rows if row.signature == signature]


def outcome_of(rows: Sequence[PhaseRow]) -> Outcome:
    """Return the outcome of a case by host: a success where each is cleared and all recordings compare."""
    if any(row.outcome in ("persists", "appeared") for row in rows):
        return "failures"
    if rows and all(row.outcome == "cleared" and not row.comparison for row in rows):
        return "successes"
    return "not_compared"
