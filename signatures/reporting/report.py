"""Findings and captures as wire values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, cast

from signatures.documents.capture import NextCaptureDocument, SettledDocument
from signatures.documents.citation import Citation
from signatures.documents.finding import (
    Affected,
    AspectDocument,
    CapDocument,
    ConditionDocument,
    FindingDocument,
    fingerprint,
)
from signatures.documents.levels import LEVEL_OF_SEVERITY
from signatures.judging.observation import State
from signatures.language.number_format import common_unit, word_of
from signatures.rendering.verdict import certainty, headline
from signatures.reporting.next_captures import deciding_capture
from signatures.reporting.signature_parts import capture_document, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.documents.levels import Severity
    from signatures.judging.finding import Finding, NextCapture
    from signatures.judging.observation import Cited
    from signatures.judging.states import ClauseState

    Measured = TypeVar("Measured", float | None, float | str | None)


def finding_document(finding: Finding, *, is_provisional: bool = False) -> FindingDocument:
    """Return one finding as a wire value."""
    judged = _judged(finding, is_provisional=is_provisional)
    said = headline(judged, deciding_capture(finding))
    return replace(judged, headline=said, certainty=certainty(judged))


def _judged(finding: Finding, *, is_provisional: bool) -> FindingDocument:
    """Return a finding without the sentences about its verdict."""
    decision = finding.decision
    signature = finding.signature
    parts = parts_of(signature)
    return FindingDocument(
        level=LEVEL_OF_SEVERITY[signature.severity],
        fingerprint=fingerprint(signature.id, finding.host, finding.phase),
        signature=signature.id,
        version=signature.version,
        title=finding.title,
        severity=cast("Severity", signature.severity),
        status=signature.status,
        host=finding.host,
        phase=finding.phase,
        verdict=finding.verdict,
        because=decision.because,
        score=round(decision.score, 4),
        confidence=None if decision.confidence is None else round(decision.confidence, 4),
        confidence_word=None if decision.confidence is None else word_of(decision.confidence),
        coverage=round(decision.coverage, 4),
        coverage_word=word_of(decision.coverage),
        caps=tuple(CapDocument(reason=reason, condition=clause) for reason, clause in decision.caps),
        rivals_open=finding.rivals_open,
        affected=Affected(
            verdict=finding.affected.verdict,
            basis=finding.affected.basis,
            sentence=finding.sentence,
            aspects=tuple(AspectDocument(**aspect._asdict()) for aspect in finding.affected.aspects),
            reported=parts.reported,
        ),
        entity=dict(finding.entity),
        extract=dict(finding.extract),
        conditions=tuple(_condition(state) for state in finding.clauses),
        # While capped readings alone support it, a capture decides first.
        fixes=() if decision.is_capped else parts.fixes(_clauses(finding, State.TRUE)),
        next=parts.captures(_clauses(finding, State.UNKNOWN)),
        references=parts.references,
        superseded_by=finding.superseded_by,
        caused_by=finding.caused_by,
        suspected_cause=finding.suspected_cause,
        is_near_miss=finding.is_near_miss,
        is_listed=finding.is_listed,
        is_provisional=is_provisional,
        is_narrowed=finding.title != signature.title,
        is_capped=decision.is_capped,
        fault=finding.fault.words if finding.fault else "",
        library=signature.library,
    )


def _clauses(finding: Finding, state: State) -> tuple[str, ...]:
    """Return the clauses in a state."""
    return tuple(one.clause.id for one in finding.clauses if one.state is state)


def _condition(state: ClauseState) -> ConditionDocument:
    outcome = state.outcome
    return ConditionDocument(
        id=state.clause.id,
        title=state.clause.title,
        role=state.clause.role,
        weight=state.clause.weight,
        veto=state.clause.is_veto,
        state=state.state.value,
        reason=outcome.reason,
        observed=_rounded(outcome.observed),
        threshold=_rounded(outcome.threshold),
        unit=common_unit(outcome.unit, outcome.observed, outcome.threshold),
        distance=_rounded(outcome.distance),
        strength=round(outcome.strength, 4),
        is_seen=outcome.is_seen,
        assumed=outcome.assumed,
        note=outcome.note,
        caps=outcome.caps,
        remarks=outcome.remarks,
        citations=tuple(_citation(*citation) for citation in outcome.citations),
        answers=state.clause.answers,
    )


def _rounded(value: Measured) -> Measured:
    is_exact = not isinstance(value, float) or value.is_integer()
    return value if is_exact else float(f"{value:.6g}")


def _citation(evidence: str, section: int, cited: Cited) -> Citation:
    return Citation(
        evidence=evidence,
        section=section,
        first_line=cited.first_line,
        last_line=cited.last_line,
        profile=cited.profile,
        nodes=tuple(cited.nodes),
    )


def next_documents(captures: Iterable[NextCapture]) -> tuple[NextCaptureDocument, ...]:
    """Return the next captures as wire values."""
    return tuple(
        capture_document(
            wanted.capture,
            NextCaptureDocument,
            settles=tuple(
                SettledDocument(signature=one.signature, condition=one.clause, title=one.title)
                for one in wanted.settles
            ),
        )
        for wanted in captures
    )
