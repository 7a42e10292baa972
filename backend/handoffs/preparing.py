"""Prepares a handoff: redact, judge again, write summary, page and bundle, scan for leaks.

preparing → ready, or failed with a reason

Names are learnt from all evidence of the case, including evidence outside the handoff.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.core import events
from backend.evidence import lines
from backend.findings import library
from backend.findings.judging import item_of
from backend.handoffs import bundle, oom, reparse, selection, verdict_changes
from backend.handoffs.contents import Contents, Piece
from backend.models import Handoff, HandoffState, Redaction
from ingest.redact import Redactor
from ingest.redact.leak_scan import Detector
from signatures.document.vocabulary import library_words
from signatures.judging.judge import judge
from signatures.reporting.next_captures import next_captures
from signatures.reporting.report import finding_document, next_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.handoffs.selection import Source, Subject
    from signatures.judging.finding import Finding

MAX_LEAKS = 200
BLOCK_BYTES = 1 << 20


def prepare(run: Run, handoff_id: UUID) -> None:
    """Prepare the handoff; one that is deleted or already prepared is left unchanged."""
    with run.session() as session:
        subject = selection.gather(session, run.settings, handoff_id)
    if subject is None:
        return
    run.settings.scratch_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (
        run.putting(),
        tempfile.TemporaryDirectory(dir=run.settings.scratch_dir, prefix="handoff-") as scratch,
    ):
        made = _make(run, subject, Path(scratch))
        run.check()
        with run.result() as session:
            finish(session, subject, made)


@dataclass(frozen=True, slots=True)
class PreparedHandoff:
    """A prepared handoff, not stored yet."""

    report: dict[str, Any]
    shared: dict[str, Any]
    bundle_sha256: str
    bundle_bytes: int
    given: dict[str, str]


def _make(run: Run, subject: Subject, scratch: Path) -> PreparedHandoff:
    redactor = Redactor(bytes.fromhex(subject.key), words=library_words(), pseudonym_map=subject.given)
    _learn(run, subject, redactor)
    pieces: list[Piece] = []
    for source in subject.sources:
        if source.id in subject.chosen and source.is_text:
            pieces.append(_redact(run, redactor, source, scratch, number=len(pieces) + 1))
            run.check()
    contents, findings_counted = _contents(run, subject, redactor, pieces, scratch)
    written = bundle.documents(contents)
    path = scratch / f"handoff{bundle.SUFFIX}"
    with path.open("wb") as stream:
        bundle.write(contents, written, stream)
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    leaks = list(islice(_leaks(redactor, contents, written), MAX_LEAKS))
    for piece in pieces:
        run.store.put_file(piece.file, sha256=piece.sha256)
    size = path.stat().st_size
    run.store.put_file(path, sha256=sha256)
    shown_report = {
        "counts": dict(redactor.counts),
        "kinds": {kind: len(names) for kind, names in redactor.originals.items()},
        "kept_words": sorted(redactor.unreplaced_words),
        "left_out": [
            {"name": source.captured_path or source.name, "reason": source.reason}
            for source in subject.sources
            if source.id in subject.chosen and not source.is_text
        ],
        "pieces": [_piece_document(piece) | {"evidence_id": piece.evidence_id} for piece in pieces],
        "verdicts": findings_counted,
        "differences": contents.differences,
        "leaks": leaks,
    }
    shared = {
        "title": contents.title,
        "summary": written["summary.md"].decode(),
        "page": run.store.put_bytes(written["case.html"]),
        "pieces": [_piece_document(piece) for piece in pieces],
        "pictures": [
            {"title": title, "sha256": run.store.put_bytes(svg.encode("utf-8", "replace"))}
            for title, svg in contents.pictures
        ],
    }
    return PreparedHandoff(shown_report, shared, sha256, size, redactor.pseudonym_map)


def _learn(run: Run, subject: Subject, redactor: Redactor) -> None:
    for host in subject.hosts:
        redactor.learn_name("host", host)
    texts = [subject.title, subject.question, *subject.resolution, *subject.notes, *subject.tried]
    texts += [f"{source.name}\n{source.captured_path}" for source in subject.sources]
    redactor.learn(f"{text}\n".encode("utf-8", "surrogateescape") for text in texts)
    for source in subject.sources:
        if source.is_text and run.store.has(source.sha256):
            redactor.learn(lines.decoded(run.store, source.sha256), source.captured_path)
            run.check()
    redactor.settle()


def _redact(run: Run, redactor: Redactor, source: Source, scratch: Path, *, number: int) -> Piece:
    before = Counter(redactor.counts)
    file = scratch / f"piece-{number}"
    digest = hashlib.sha256()
    size = count = 0
    with file.open("wb") as stream:
        for chunk in redactor.redact(lines.decoded(run.store, source.sha256), source.captured_path):
            stream.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            count += chunk.count(b"\n")
    name = redactor.text(source.captured_path or source.name).lstrip("/")
    return Piece(
        evidence_id=str(source.id),
        number=number,
        name=name.rpartition("/")[2],
        path=f"evidence/{number:02}/{name}",
        file=file,
        sha256=digest.hexdigest(),
        size_bytes=size,
        lines=count,
        changed=reparse.changed_lines(lines.decoded(run.store, source.sha256), file),
        counts=dict(redactor.counts - before),
        host=redactor.name("host", source.host),
        boot=redactor.name("uuid", source.boot),
        phase=source.phase,
    )


def _contents(
    run: Run, subject: Subject, redactor: Redactor, pieces: list[Piece], scratch: Path
) -> tuple[Contents, dict[str, int]]:
    """Judge the chosen evidence, original and redacted; return the contents and the comparison."""
    chosen_ids = {piece.evidence_id for piece in pieces}
    placed = [
        one for one in subject.assigned if str(one.evidence_id) in chosen_ids and not one.is_provisional
    ]
    chosen = [
        finding_document(one) for one in judge([item_of(run.store, one) for one in placed], library.catalog())
    ]
    items = reparse.items(run, pieces, placed, scratch)
    findings = judge(items, library.catalog())
    redacted = [finding_document(one) for one in findings]
    differences = verdict_changes.differences(
        subject.verdicts, chosen, redacted, lambda host: redactor.name("host", host)
    )
    shown = [one for one in findings if one.is_listed and not one.superseded_by]
    resolution = ". Fixed by: ".join(filter(None, map(redactor.text, subject.resolution)))
    contents = Contents(
        number=subject.number,
        title=redactor.text(subject.title),
        recipient=subject.recipient,
        question=redactor.text(subject.question),
        hosts=[redactor.name("host", host) for host in subject.hosts],
        resolution=resolution,
        pieces=pieces,
        findings=[finding_document(one) for one in shown],
        oom=oom.answer(items, findings),
        tried=[redactor.text(one) for one in subject.tried],
        notes=[redactor.text(one) for one in subject.notes],
        captures=next_document(next_captures(shown)),
        pictures=reparse.pictures(items, pieces),
        differences=differences,
        left_out=dict(
            Counter(_reason(subject, one) for one in subject.sources if str(one.id) not in chosen_ids)
        ),
    )
    return contents, {"compared": len(redacted), "told": _relevant(findings)}


def _reason(subject: Subject, source: Source) -> str:
    if source.id not in subject.chosen:
        return "not chosen"
    return source.reason


def _relevant(findings: list[Finding]) -> int:
    return sum(one.is_listed for one in findings)


def _leaks(redactor: Redactor, contents: Contents, written: dict[str, bytes]) -> Iterator[dict[str, Any]]:
    """Yield the findings of the independent leak scan over the output, in order."""
    detector = Detector({name for names in redactor.originals.values() for name in names})
    for path, chunks in _leaving(contents, written):
        look = detector.look()
        for leak in chain(chain.from_iterable(map(look.at, chunks)), look.end()):
            yield {"where": path, "line": leak.line, "what": leak.what, "written": leak.written}


def _leaving(contents: Contents, written: dict[str, bytes]) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield all output as name and chunks of bytes."""
    for path, content in written.items():
        yield path, [content]
    yield (
        "names of files",
        ["\n".join(one.path for one in contents.pieces).encode("utf-8", "surrogateescape")],
    )
    yield bundle.MANIFEST, ["\n".join(f"{one.host}\n{one.boot}" for one in contents.pieces).encode()]
    for piece in contents.pieces:
        with piece.file.open("rb") as stream:
            yield piece.path, iter(partial(stream.read, BLOCK_BYTES), b"")


def _piece_document(piece: Piece) -> dict[str, Any]:
    names = ("number", "name", "path", "sha256", "size_bytes", "lines", "changed", "counts")
    return {name: getattr(piece, name) for name in names}


def finish(session: Session, subject: Subject, made: PreparedHandoff) -> None:
    """Store the handoff and the pseudonym map for the next one."""
    handoff = session.get(Handoff, subject.handoff_id, with_for_update=True)
    if handoff is None or handoff.state is not HandoffState.PREPARING:
        return
    stored = session.get_one(Redaction, subject.case_id, with_for_update=True, populate_existing=True)
    stored.given = made.given | stored.given
    handoff.state = HandoffState.READY
    handoff.report, handoff.shared = made.report, made.shared
    handoff.bundle_sha256, handoff.bundle_bytes = made.bundle_sha256, made.bundle_bytes
    session.flush()
    events.record(
        session, "handoff.ready", case_id=subject.case_id, payload={"handoff_id": str(subject.handoff_id)}
    )


def fail(session: Session, handoff_id: UUID) -> None:
    """Mark the handoff as failed by a bug of ours."""
    handoff = session.get(Handoff, handoff_id)
    if handoff is None:
        return
    handoff.state = HandoffState.FAILED
    handoff.reason = (
        "preparation failed after several attempts because of a bug in Casebook; nothing was shared"
    )
    events.record(session, "handoff.failed", case_id=handoff.case_id, payload={"handoff_id": str(handoff_id)})
