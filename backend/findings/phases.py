"""Before-and-after comparison: the same conditions on the same host across phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.cases.stored_findings import FIRED
from backend.findings import report, screens
from backend.findings.schemas_phases import (
    Phase,
    PhaseCell,
    PhaseClause,
    PhaseRow,
    PhasesRead,
    PhaseValue,
)
from backend.models.evidence import Evidence
from signatures.documents.comparison import ComparisonDocument
from signatures.reporting.outcome import FIRING, outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from backend.findings.report import JudgedFinding
    from backend.models.case import Case
    from signatures.documents.finding import ConditionDocument, FindingDocument

ORDER: tuple[Phase, ...] = ("before", "during", "after")
NOT_COMPARED = "not compared yet"


def of_case(session: Session, case: Case) -> PhasesRead:
    """Return the change between phases of every signature that fired in one of them."""
    query = (
        select(Evidence.phase, func.count())
        .where(Evidence.case_id == case.id, Evidence.deleted_at.is_(None))
        .group_by(Evidence.phase)
    )
    counted = dict(session.execute(query).all())
    counts = {phase: counted.get(phase, 0) for phase in ORDER}
    used = [phase for phase in ORDER if counts[phase]]
    # Needs two phases: the last one is the outcome, the one before it the sick one.
    sick, since = (used[-2], used[-1]) if len(used) > 1 else (None, None)
    by_place: dict[tuple[str, str], dict[str, JudgedFinding]] = {}
    for finding in report.in_rank(session, case, FIRED._replace(with_places=True)):
        by_place.setdefault((finding.document.signature, finding.document.host), {})[
            finding.document.phase
        ] = finding
    screen = screens.of_case(session, case)
    compared = {
        one.host: one
        for one in (screen.comparisons if screen else ())
        if (one.sick, one.since) == (sick, since)
    }
    rows = [
        _row(
            by_phase,
            sick,
            since,
            compared.get(host, ComparisonDocument(host=host, words="" if screen else NOT_COMPARED)),
        )
        for (_, host), by_phase in by_place.items()
        if sick
        and sick in by_phase
        and any(finding.document.verdict in FIRING for finding in by_phase.values())
    ]
    return PhasesRead(counts=counts, sick=sick, since=since, rows=rows)


def cleared_signatures(findings: Iterable[FindingDocument]) -> list[str]:
    """Return the signatures that fired on a host and are gone in its evidence of afterwards, sorted."""
    by_place: dict[tuple[str, str], dict[str, FindingDocument]] = {}
    for finding in findings:
        by_place.setdefault((finding.signature, finding.host), {})[finding.phase] = finding
    return sorted(
        {
            signature
            for (signature, _), by_phase in by_place.items()
            if "after" in by_phase
            for phase in ("before", "during")
            if phase in by_phase
            and by_phase[phase].verdict in FIRING
            and outcome(by_phase[phase], by_phase["after"])[0] == "cleared"
        }
    )


def _row(
    by_phase: dict[str, JudgedFinding], sick: Phase, since: Phase | None, compared: ComparisonDocument
) -> PhaseRow:
    first = by_phase[sick]
    last = by_phase.get(since) if since else None
    word, because = outcome(first.document, last.document if last else None)
    if word == "cleared" and compared.differs:
        word = "open"
    phases = [phase for phase in ORDER if phase in by_phase]
    return PhaseRow(
        signature=first.document.signature,
        title=first.document.title,
        severity=first.document.severity,
        host=first.document.host,
        outcome=word,
        because=because,
        comparison=compared.words if last is not None else "",
        cells=[
            PhaseCell(
                phase=phase,
                finding_id=by_phase[phase].id,
                verdict=by_phase[phase].document.verdict,
                confidence_word=by_phase[phase].document.confidence_word,
                coverage_word=by_phase[phase].document.coverage_word,
            )
            for phase in phases
        ],
        clauses=[_condition(one, phases, by_phase) for one in first.document.conditions],
    )


def _condition(
    condition: ConditionDocument, phases: list[Phase], by_phase: dict[str, JudgedFinding]
) -> PhaseClause:
    return PhaseClause(
        id=condition.id,
        title=condition.title,
        role=condition.role,
        unit=condition.unit,
        threshold=condition.threshold,
        values=[_value(condition.id, phase, by_phase[phase]) for phase in phases],
    )


def _value(condition_id: str, phase: Phase, finding: JudgedFinding) -> PhaseValue:
    for one in finding.document.conditions:
        if one.id == condition_id:
            return PhaseValue(phase=phase, state=one.state, observed=one.observed, reason=one.reason)
    reason = "the version that was judged then has no such condition"
    return PhaseValue(phase=phase, state="UNKNOWN", observed=None, reason=reason)
