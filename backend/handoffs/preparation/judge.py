"""Stage 3: judge the chosen evidence, original and redacted, and compare the verdicts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from backend.findings import library
from backend.findings.items import item_of
from backend.handoffs import oom, reparse, verdict_changes, wait_pictures
from backend.handoffs.contents import Contents
from backend.handoffs.preparation.values import JudgedContents, extend
from signatures.judging.judge import judge
from signatures.overview import run
from signatures.overview.first_screen import overview_of
from signatures.reporting.next_captures import next_captures
from signatures.reporting.report import finding_document, next_document

if TYPE_CHECKING:
    from backend.handoffs.preparation.values import RedactedFiles
    from signatures.judging.finding import Finding
    from signatures.judging.scope import Item

STATEMENTS = 3
"""Statements below the headline."""


def contents(preparation: RedactedFiles) -> JudgedContents:
    """Return the preparation with the contents of the handoff."""
    chosen_ids = {file.evidence_id for file in preparation.files}
    readings = [
        one
        for one in preparation.subject.assigned
        if str(one.evidence_id) in chosen_ids and not one.is_provisional
    ]
    originals = [item_of(preparation.run.store, one) for one in readings]
    items = reparse.items(preparation.run, preparation.files, readings, preparation.scratch)
    findings = judge(items, library.catalog())
    differences = verdict_changes.differences(
        preparation.subject.verdicts,
        [finding_document(one) for one in judge(originals, library.catalog())],
        [finding_document(one) for one in findings],
        lambda host: preparation.redactor.name("host", host),
    )
    return extend(
        preparation,
        JudgedContents,
        contents=_contents(preparation, items, findings, differences),
        compared=len(findings),
        listed=sum(one.is_listed for one in findings),
    )


def _contents(
    preparation: RedactedFiles,
    items: list[Item],
    findings: list[Finding],
    differences: list[dict[str, Any]],
) -> Contents:
    subject, redactor = preparation.subject, preparation.redactor
    shown = [one for one in findings if one.is_listed and not one.superseded_by]
    documents = [finding_document(one) for one in shown]
    captures = next_document(next_captures(shown))
    overview = overview_of(
        run(items), documents, [one["run"] for one in captures], {one.format for one in items}
    )
    return Contents(
        number=subject.number,
        title=redactor.text(subject.title),
        recipient=subject.recipient,
        question=redactor.text(subject.question),
        hosts=[redactor.name("host", host) for host in subject.hosts],
        resolution=". Fixed by: ".join(filter(None, map(redactor.text, subject.resolution))),
        files=preparation.files,
        lead=overview.headline.text,
        statements=[
            {"text": one.statement.text, "citations": [place._asdict() for place in one.statement.places]}
            for one in overview.statements[: STATEMENTS + overview.is_led_by_statement]
        ],
        next_capture=overview.next_capture,
        findings=documents,
        oom=oom.answer(items, findings),
        tried=[redactor.text(one) for one in subject.tried],
        notes=[redactor.text(one) for one in subject.notes],
        captures=captures,
        pictures=reparse.pictures(items, preparation.files),
        wait_graphs=wait_pictures.of_items(items),
        differences=differences,
        left_out=_omitted(preparation),
    )


def _omitted(preparation: RedactedFiles) -> dict[str, int]:
    """Return the number of evidence outside the handoff by reason."""
    subject = preparation.subject
    redacted_ids = {file.evidence_id for file in preparation.files}
    return dict(
        Counter(
            source.reason if source.id in subject.chosen else "not chosen"
            for source in subject.sources
            if str(source.id) not in redacted_ids
        )
    )
