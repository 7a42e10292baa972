"""The first screen as wire values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.overview import (
    CaseHeadlineDocument,
    ChipDocument,
    EvaluatedDocument,
    HeadlineDocument,
    HostLeadDocument,
    LinkDocument,
    OverviewDocument,
    QuestionDocument,
    StatementDocument,
    SuspicionDocument,
)
from signatures.overview.alarm_findings import fingerprint_of
from signatures.overview.causal_chain import chain_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.alarm import AlarmDocument, AnyFinding
    from signatures.documents.finding import FindingDocument
    from signatures.documents.levels import Severity
    from signatures.overview.first_screen import Overview
    from signatures.overview.statement_order import Shown


def overview_document(overview: Overview, severity: Severity | None = None) -> OverviewDocument:
    """Return an overview as a wire value; `severity` is that of its headline (`headline_document`)."""
    of = overview.lead.of
    of_text = of.statement.text if of else None
    return OverviewDocument(
        headline=HeadlineDocument(
            kind=overview.headline.kind,
            text=overview.short.text,
            signature=overview.headline.signature,
            host=overview.headline.host,
            severity=severity,
            statement=_index_of(of, overview.statements) if of else None,
            is_stated=overview.lead.part != "together" and overview.short.text == of_text,
            detail=overview.headline.text,
            chips=tuple(ChipDocument(one.text, one.title, one.place) for one in overview.short.chips),
            may_be=overview.short.may_be,
        ),
        suspicion=SuspicionDocument(**overview.suspicion._asdict()) if overview.suspicion else None,
        questions=tuple(
            QuestionDocument(
                name=one.question.name,
                title=one.question.title,
                state=one.state,
                alarms=one.alarms,
                capture=one.capture,
                is_partial=one.is_partial,
                note=one.note,
            )
            for one in overview.questions
        ),
        statements=tuple(map(_statement, overview.statements)),
        chain=tuple(
            LinkDocument(one.text, one.edge, one.place, one.relation, one.reason, one.proof)
            for one in chain_of(of, overview.statements)
        ),
        next_capture=overview.next_capture.command,
        next_capture_reason=overview.next_capture.reason,
        first_steps=overview.first_steps,
        is_urgent=overview.is_urgent,
        signatures=EvaluatedDocument(checked=overview.checked),
        matrix=overview.matrix,
        by_host=tuple(HostLeadDocument(**one._asdict()) for one in overview.by_host),
    )


def _index_of(of: Shown, statements: Sequence[Shown]) -> int:
    """Return the place of the statement of a headline; of a combined one the first that it is of."""
    if of in statements:
        return statements.index(of)
    lines = of.statement.places
    return next(at for at, one in enumerate(statements) if one.statement.places[0] in lines)


def headline_document(
    overview: Overview, findings: Sequence[FindingDocument], alarms: Sequence[AlarmDocument]
) -> CaseHeadlineDocument:
    """Return the headline of a case, with verdict and level of the finding or alarm that it is of.

    Args:
        overview: The first screen.
        findings: The documents of signatures that it was made of.
        alarms: Its alarms (`signatures.overview.alarm_findings`).
    """
    headline = overview.headline
    finding = _leading_finding(overview, findings)
    stated = overview.lead.of if headline.kind == "statement" else None
    alarm = next((one for one in alarms if stated and one.fingerprint == fingerprint_of(stated)), None)
    about: AnyFinding | None = finding or alarm
    return CaseHeadlineDocument(
        kind=headline.kind,
        text=overview.short.text,
        signature=headline.signature,
        host=headline.host,
        suspicion=overview.suspicion.signature if overview.suspicion else "",
        alarm=alarm.alarm if alarm else "",
        title=about.title if about else overview.short.text,
        verdict=about.verdict if about else None,
        severity=about.severity if about else None,
        level=about.level if about else None,
        confidence=finding.confidence if finding else None,
        coverage=finding.coverage if finding else None,
    )


def _leading_finding(overview: Overview, findings: Sequence[FindingDocument]) -> FindingDocument | None:
    headline = overview.headline
    if not headline.signature:
        return None
    key = (headline.signature, headline.host, headline.kind)
    return next(one for one in findings if (one.signature, one.host, one.verdict) == key)


def failed_headline_document(text: str) -> CaseHeadlineDocument:
    """Return the headline of a case whose newest evidence was not analysed; `text` says why."""
    return CaseHeadlineDocument(kind="not assessed", text=text, title=text, unjudged=text)


def _statement(shown: Shown) -> StatementDocument:
    statement = shown.statement
    return StatementDocument(
        question=statement.question,
        kind=statement.kind,
        text=statement.text,
        host=shown.host,
        level=statement.level,
        capture=statement.capture,
        citations=statement.places,
    )
