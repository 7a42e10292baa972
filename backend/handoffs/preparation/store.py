"""Last stage: store the bundle, the report for the sender and the page for recipients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.core import events
from backend.models import Handoff, HandoffState, Redaction

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.handoffs.contents import BundleFile
    from backend.handoffs.preparation.values import LearnedNames, ScannedBundle

FILE_FIELDS = ("number", "name", "path", "sha256", "size_bytes", "lines", "changed", "counts")


def put(preparation: ScannedBundle, handoff_id: UUID) -> None:
    """Store the files, then the handoff in the transaction that ends the job."""
    run = preparation.run
    for file in preparation.files:
        run.store.put_file(file.local_path, sha256=file.sha256)
    run.store.put_file(preparation.path, sha256=preparation.sha256)
    shared = _shared(preparation)
    run.check()
    with run.result() as session:
        _finish(session, preparation, shared, handoff_id)


def _report(preparation: ScannedBundle) -> dict[str, Any]:
    """Return the redaction report, with original values: for the sender only."""
    redactor = preparation.redactor
    return {
        "counts": dict(redactor.counts),
        "kinds": redactor.different,
        "kept_words": sorted(redactor.unreplaced_words),
        "left_out": [
            {"name": source.captured_path or source.name, "reason": source.reason}
            for source in preparation.subject.chosen_sources()
            if not source.is_text
        ],
        "pieces": [_file_document(file) | {"evidence_id": file.evidence_id} for file in preparation.files],
        "verdicts": {"compared": preparation.compared, "listed": preparation.listed},
        "differences": preparation.contents.differences,
        "leaks": list(preparation.leaks),
        "open_classes": list(preparation.open_classes),
    }


def _shared(preparation: ScannedBundle) -> dict[str, Any]:
    """Store page and pictures, and return the content for recipients: pseudonyms only."""
    store, contents = preparation.run.store, preparation.contents
    return {
        "title": contents.title,
        "summary": preparation.documents["summary.md"].decode(),
        "page": store.put_bytes(preparation.documents["case.html"]),
        "pieces": [_file_document(file) for file in preparation.files],
        "pictures": [
            {"title": title, "sha256": store.put_bytes(svg.encode("utf-8", "replace"))}
            for title, svg in contents.pictures
        ],
    }


def _file_document(file: BundleFile) -> dict[str, Any]:
    return {name: getattr(file, name) for name in FILE_FIELDS}


def _finish(session: Session, preparation: ScannedBundle, shared: dict[str, Any], handoff_id: UUID) -> None:
    """Store the handoff, and the pseudonym map for the next one."""
    handoff = session.get(Handoff, handoff_id, with_for_update=True)
    if handoff is None or handoff.state is not HandoffState.PREPARING:
        return
    store_pseudonyms(session, preparation)
    handoff.state = HandoffState.READY
    handoff.report, handoff.shared = _report(preparation), shared
    handoff.bundle_sha256, handoff.bundle_bytes = preparation.sha256, preparation.size_bytes
    session.flush()
    events.record(
        session,
        "handoff.ready",
        case_id=preparation.subject.case_id,
        payload={"handoff_id": str(handoff_id)},
    )


def store_pseudonyms(session: Session, preparation: LearnedNames) -> None:
    """Store the pseudonym map of the case: the next redaction gives the same names."""
    case_id = preparation.subject.case_id
    stored = session.get_one(Redaction, case_id, with_for_update=True, populate_existing=True)
    stored.given = preparation.redactor.pseudonym_map | stored.given


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
