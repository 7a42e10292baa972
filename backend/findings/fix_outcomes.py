"""How often a fix worked: closed cases by signature and fix, counted by the outcome of their recordings.

A success is a case whose finding is gone in recordings that compare: the same class of machine, the same
programs, a comparable rate of work. Everything else is counted apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sqlalchemy import select

from backend.access.decisions import visible
from backend.findings import phases
from backend.findings.schemas_phases import FixOutcome
from backend.models.case import Case

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.findings.schemas_phases import PhaseRow

Outcome = Literal["successes", "failures", "not_compared"]
MAX_CASES = 50
"""Latest closed cases that are counted: each is compared on the request."""


def of_signature(session: Session, principal: Principal, signature: str) -> list[FixOutcome]:
    """Return the fixes of closed cases that the principal sees, the one with most successes first."""
    query = (
        select(Case)
        .where(
            Case.cause_signature == signature,
            Case.state == "closed",
            Case.fix != "",
            Case.deleted_at.is_(None),
            visible(principal),
        )
        .order_by(Case.closed_at.desc(), Case.id)
        .limit(MAX_CASES)
    )
    by_fix: dict[str, FixOutcome] = {}
    for case in session.scalars(query):
        counted = by_fix.setdefault(case.fix, FixOutcome(fix=case.fix))
        counted.cases += 1
        rows = phases.of_case(session, case).rows
        name = outcome_of([row for row in rows if row.signature == signature])
        setattr(counted, name, getattr(counted, name) + 1)
    return sorted(by_fix.values(), key=lambda one: (-one.successes, one.failures, -one.cases, one.fix))


def outcome_of(rows: Sequence[PhaseRow]) -> Outcome:
    """Return the outcome of a case by host: a success where each is cleared and all recordings compare."""
    if any(row.outcome in ("persists", "appeared") for row in rows):
        return "failures"
    if rows and all(row.outcome == "cleared" and not row.comparison for row in rows):
        return "successes"
    return "not_compared"
