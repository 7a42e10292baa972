"""Response schemas of the phase comparison."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import BaseModel

from signatures.documents.finding import ConditionState, Verdict

Phase = Literal["before", "during", "after"]


class PhaseValue(BaseModel):
    """State of a condition in one phase."""

    phase: Phase
    state: ConditionState
    observed: float | str | None
    reason: str


class PhaseClause(BaseModel):
    """One condition by phase, in the order of the phases of its row."""

    id: str
    title: str
    role: str
    unit: str
    threshold: float | str | None
    values: list[PhaseValue]


class PhaseCell(BaseModel):
    """The verdict in one phase."""

    phase: Phase
    finding_id: UUID
    verdict: Verdict
    confidence_word: str | None
    coverage_word: str


class PhaseRow(BaseModel):
    """One signature on one host by phase; `outcome` compares the sick phase with the last.

    `comparison` says why the recordings of the two do not compare, or what could not be compared; a finding
    of recordings that do not compare is never `cleared`.
    """

    signature: str
    title: str
    severity: str
    host: str
    outcome: Literal["cleared", "persists", "appeared", "open", "quiet"]
    because: str
    comparison: str = ""
    cells: list[PhaseCell]
    clauses: list[PhaseClause]


class FixOutcome(BaseModel):
    """Closed cases with this fix, by the outcome of their recordings before and after it.

    `successes`: The finding is gone in recordings that compare. `failures`: It is still there.
    `not_compared`: No recording after the fix, or one that does not compare. `mitigated`: cases of which
    people stated when they began or were detected, and when they were mitigated or resolved;
    `mitigation_seconds`: the median of the time between; null without such a case.
    """

    fix: str
    cases: int = 0
    successes: int = 0
    failures: int = 0
    not_compared: int = 0
    mitigated: int = 0
    mitigation_seconds: float | None = None


class FixOutcomesRead(BaseModel):
    """Fixes of closed cases, the one with most successes first; the latest 50 cases count."""

    items: list[FixOutcome]


class PhasesRead(BaseModel):
    """Evidence count per phase and the changes between them; `sick` is compared with `since`."""

    counts: dict[Phase, int]
    sick: Phase | None
    since: Phase | None
    rows: list[PhaseRow]
