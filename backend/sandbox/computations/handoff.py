"""Preparation of a handoff: redact the chosen evidence, judge it before and after, write page and bundle.

Leaves in the output directory, beside the result:

    file-1, file-2, …         redacted texts
    picture-0.svg, …          flame graphs
    case.html                 the page
    handoff.casebook.tar.zst  the bundle
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from backend.sandbox.computations import leaks
from backend.sandbox.computations.case_analysis import catalog
from backend.sandbox.computations.redaction import learnt, redact
from backend.sandbox.computations.results import item_of, leave, noted_faults
from ingest import evidence as front_door
from signatures.documents.codec import from_documents, to_documents
from signatures.documents.finding import FindingDocument
from signatures.handoff import bundle, flame_graphs, oom, verdict_changes, wait_pictures
from signatures.handoff.contents import Contents
from signatures.judging.judge import judge
from signatures.judging.scope import Item
from signatures.overview import run
from signatures.overview.first_screen import overview_of
from signatures.overview.screen_document import overview_document
from signatures.rendering.overview_text import headline_words
from signatures.reporting.next_captures import next_captures
from signatures.reporting.report import finding_document, next_documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from backend.sandbox.documents import (
        HandoffArguments,
        HandoffResult,
        ReadingDocument,
        RedactedFileDocument,
        SubjectDocument,
    )
    from ingest.redact import Redactor
    from signatures.documents.handoff import VerdictChangeDocument
    from signatures.handoff.contents import BundleFile
    from signatures.judging.finding import Finding

STATEMENTS = 3
"""Statements below the headline."""


def prepare_handoff(arguments: HandoffArguments, output: Path, _input: int) -> None:
    """Prepare a handoff of `arguments["subject"]`.

    Leaves `result.json`: `report` for the sender, with original values; `shared` for recipients, pseudonyms
    only; the pseudonym map; faults.
    """
    faults = noted_faults()
    subject = arguments["subject"]
    redactor = learnt(arguments)
    files = redact(subject, redactor, output)
    # One of the two sets of readings is in memory at a time.
    chosen = _verdicts([item_of(reading) for reading in arguments["readings"]])
    items = list(_read_again(files, {one["item"]["evidence"]: one for one in arguments["readings"]}))
    findings = judge(items, catalog())
    differences = verdict_changes.differences(
        from_documents(FindingDocument, arguments["verdicts"]),
        chosen,
        [finding_document(one) for one in findings],
        lambda host: redactor.name("host", host),
    )
    contents = _contents(subject, redactor, files, items, findings, differences)
    written = bundle.documents(contents)
    with (output / f"handoff{bundle.SUFFIX}").open("wb") as stream:
        bundle.write(contents, written, stream, version=arguments["version"])
    (output / "case.html").write_bytes(written["case.html"])
    for number, (_, svg) in enumerate(contents.pictures):
        (output / f"picture-{number}.svg").write_bytes(svg.encode("utf-8", "replace"))
    # The leak scan needs as much memory as the search for names to replace.
    redactor.end()
    found, open_classes = leaks.of_bundle(redactor, contents, written)
    result: HandoffResult = {
        "report": {
            "counts": dict(redactor.counts),
            "kinds": redactor.different,
            "kept_words": sorted(redactor.unreplaced_words),
            "pieces": [{**_file_document(file), "evidence_id": file.evidence_id} for file in files],
            "verdicts": {"compared": len(findings), "listed": sum(one.is_listed for one in findings)},
            "differences": to_documents(differences),
            "leaks": found,
            "open_classes": open_classes,
        },
        "shared": {
            "title": contents.title,
            "summary": written["summary.md"].decode(),
            "pieces": [_file_document(file) for file in files],
            "pictures": [{"title": title} for title, _ in contents.pictures],
        },
        "pseudonym_map": redactor.pseudonym_map,
        "faults": faults,
    }
    leave(result, output)


def _verdicts(items: Sequence[Item]) -> list[FindingDocument]:
    return [finding_document(one) for one in judge(items, catalog())]


def _read_again(files: Sequence[BundleFile], readings: dict[str, ReadingDocument]) -> Iterator[Item]:
    """Yield the readings of the redacted texts; of evidence without a reading there is none."""
    for file in files:
        before = readings.get(file.evidence_id)
        if before is None:
            continue
        captured_path = file.path.split("/", 2)[2] if before["item"]["captured_path"] else ""
        evidence = front_door.read_file(file.local_path, name=file.name, captured_path=captured_path)
        for section in evidence.sections:
            yield Item(
                evidence=file.evidence_id,
                captured_path=section.path or captured_path,
                host=file.host,
                boot=file.boot,
                phase=file.phase,
                section=section.ordinal,
                format=section.format,
                reading=section.reading,
                first_line=section.first_line,
                last_line=section.last_line,
            )


def _contents(  # noqa: PLR0917 - what a handoff is made of, in the order of its stages
    subject: SubjectDocument,
    redactor: Redactor,
    files: tuple[BundleFile, ...],
    items: list[Item],
    findings: list[Finding],
    differences: list[VerdictChangeDocument],
) -> Contents:
    shown = [one for one in findings if one.is_listed and not one.superseded_by]
    documents = [finding_document(one) for one in shown]
    captures = next_documents(next_captures(findings))
    overview = overview_of(
        run(items),
        [finding_document(one) for one in findings],
        [one.run for one in captures],
        {one.format for one in items},
    )
    screen = overview_document(overview)
    return Contents(
        number=subject["number"],
        title=redactor.text(subject["title"]),
        recipient=subject["recipient"],
        question=redactor.text(subject["question"]),
        hosts=[redactor.name("host", host) for host in subject["hosts"]],
        resolution=". Fixed by: ".join(filter(None, map(redactor.text, subject["resolution"]))),
        files=files,
        lead=headline_words(screen).text,
        statements=screen.ordered[: STATEMENTS + screen.headline.is_stated],
        chain=screen.chain,
        matrix=screen.matrix,
        findings=documents,
        oom=oom.answer(items, findings),
        tried=[redactor.text(one) for one in subject["tried"]],
        notes=[redactor.text(one) for one in subject["notes"]],
        captures=captures,
        pictures=flame_graphs.of_items(items, files),
        wait_graphs=wait_pictures.of_items(items),
        differences=differences,
        left_out=_omitted(subject, files),
    )


def _omitted(subject: SubjectDocument, files: Sequence[BundleFile]) -> dict[str, int]:
    """Return the number of evidence outside the handoff by reason."""
    redacted = {file.evidence_id for file in files}
    return dict(
        Counter(
            source["reason"] if source["is_chosen"] else "not chosen"
            for source in subject["sources"]
            if source["id"] not in redacted
        )
    )


def _file_document(file: BundleFile) -> RedactedFileDocument:
    return {
        "number": file.number,
        "name": file.name,
        "path": file.path,
        "sha256": file.sha256,
        "size_bytes": file.size_bytes,
        "lines": file.lines,
        "changed": file.changed,
        "counts": file.counts,
    }
