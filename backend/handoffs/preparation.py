"""Preparation of a handoff: hand its texts and readings to a limited child, store what it leaves."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from backend.core import events
from backend.core.version import VERSION
from backend.handoffs import redaction, selection
from backend.models import Handoff, HandoffState
from backend.sandbox.runner import SandboxCrashError
from signatures.documents.codec import to_documents
from signatures.handoff import bundle

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.handoffs.selection import Subject
    from backend.sandbox.documents import HandoffResult

WHAT = "the redaction"


def prepare(run: Run, handoff_id: UUID) -> None:
    """Prepare the handoff; one that is deleted or already prepared is left unchanged.

    Raises:
        LimitHitError: It needs more than its limits.
        TooSlowError: It exceeded the time of a first try.
        StoredBytesError: The store has lost or damaged a chosen text.
    """
    with run.session() as session:
        subject = selection.gather(session, run.settings, handoff_id)
    if subject is None:
        return
    chosen = {source.id for source in subject.chosen_sources() if source.is_text}
    readings = [one for one in subject.assigned if one.evidence_id in chosen and not one.is_provisional]
    with redaction.computed(
        run,
        "prepare handoff",
        subject,
        what=WHAT,
        readings=readings,
        verdicts=to_documents(subject.verdicts),
        version=VERSION,
    ) as (result, output):
        run.check()
        with run.putting():
            _put(run, subject, handoff_id, result, output)


def fail(session: Session, handoff_id: UUID, reason: str) -> None:
    """Mark a handoff that is being prepared as failed, with the reason in one sentence."""
    handoff = session.get(Handoff, handoff_id)
    if handoff is None or handoff.state is not HandoffState.PREPARING:
        return
    handoff.state, handoff.reason = HandoffState.FAILED, reason
    events.record(session, "handoff.failed", case_id=handoff.case_id, payload={"handoff_id": str(handoff_id)})


def _put(run: Run, subject: Subject, handoff_id: UUID, result: HandoffResult, output: Path) -> None:
    """Store the files, then the handoff in the transaction that ends the job."""
    report, shared = result["report"], result["shared"]
    for piece in shared["pieces"]:
        if _stored(run, output / f"file-{int(piece['number'])}") != piece["sha256"]:
            raise SandboxCrashError("a redacted text is not what its report says")
    for number, picture in enumerate(shared["pictures"]):
        picture["sha256"] = _stored(run, output / f"picture-{number}.svg")
    shared["page"] = _stored(run, output / "case.html")
    path = output / f"handoff{bundle.SUFFIX}"
    bundle_bytes, bundle_sha256 = path.stat().st_size, _stored(run, path)
    report["left_out"] = [
        {"name": source.captured_path or source.name, "reason": source.reason}
        for source in subject.chosen_sources()
        if not source.is_text
    ]
    run.check()
    with run.result() as session:
        handoff = session.get(Handoff, handoff_id, with_for_update=True)
        if handoff is None or handoff.state is not HandoffState.PREPARING:
            return
        selection.keep_pseudonyms(session, subject.case_id, result["pseudonym_map"])
        handoff.state = HandoffState.READY
        handoff.report, handoff.shared = report, shared
        handoff.bundle_sha256, handoff.bundle_bytes = bundle_sha256, bundle_bytes
        session.flush()
        events.record(
            session,
            "handoff.ready",
            case_id=subject.case_id,
            payload={"handoff_id": str(handoff_id)},
        )


def _stored(run: Run, path: Path) -> str:
    """Store a file that the child left; return its SHA-256, which the child does not decide."""
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    run.store.put_file(path, sha256=sha256)
    return sha256
