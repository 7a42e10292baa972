"""Reading one evidence: parse its bytes in the sandbox, store the result in one transaction.

received → reading → read | rejected (bad input, with a reason) | failed (our bug, logged) | cancelled
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from backend.cases.queries import hold
from backend.core import events
from backend.core.domain_events import publish
from backend.core.errors import StoredBytesError
from backend.evidence import hosts, read_files, reading_folders, reading_rows
from backend.evidence.domain_events import ProfilesRead, WarStoryRead
from backend.evidence.read_files import ReadFile
from backend.evidence.reading_progress import EvidenceRemovedError
from backend.evidence.receiving import queue_reading_alone, queue_slow_reading
from backend.evidence.service import case_changed
from backend.evidence.subject import Subject, subject_of
from backend.models.case import Case
from backend.models.evidence import Evidence, EvidenceState
from backend.models.profile import Profile
from backend.sandbox.runner import (
    TooSlowError,
)
from ingest.model import reading_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.core.settings import Settings
    from backend.sandbox.report import ReadEvidence
    from ingest.model.reading import Reading

logger = logging.getLogger(__name__)

OUR_BUG = "reading failed after several attempts because of a bug in Casebook; the file is stored"
STORY_FACT = "human.war_story"


def read(run: Run, evidence_id: UUID) -> None:
    """Read the evidence and store the result; deleted or already read evidence is left unchanged."""
    with run.session() as session:
        subject = begin(session, evidence_id)
    if subject is None:
        return
    try:
        _read(run, subject)
    except EvidenceRemovedError:
        with run.result() as session:
            put_back(session, run.settings, evidence_id)
    except TooSlowError as slow:
        logger.info("evidence %s goes on in the heavy queue: %s", evidence_id, slow)
        with run.result() as session:
            demote(session, evidence_id)
    except StoredBytesError as error:
        with run.result() as session:
            fail(session, evidence_id, str(error), reason=str(error))


def _read(run: Run, subject: Subject) -> None:
    with tempfile.TemporaryDirectory(dir=read_files.scratch_of(run), prefix="read-") as scratch:
        file = read_files.read_subject(run, subject, Path(scratch))
        run.check()
        with run.putting():
            if not is_there(run, subject.id):
                return
            reading_folders.put_folders(run.store, file.output, file.report)
            with run.result() as session:
                finish(session, subject, file.report, file.output, file.host, load=file.load)


def is_there(run: Run, evidence_id: UUID) -> bool:
    """Return whether the evidence still exists; its case may have expired meanwhile."""
    with run.session() as session:
        return session.scalar(select(Evidence.id).where(Evidence.id == evidence_id)) is not None


def begin(session: Session, evidence_id: UUID) -> Subject | None:
    """Mark the evidence as being read; None when there is nothing to read."""
    evidence = session.scalar(select(Evidence).where(Evidence.id == evidence_id).with_for_update())
    if evidence is None or evidence.state in {EvidenceState.READ, EvidenceState.REJECTED}:
        return None
    if evidence.deleted_at is not None:
        evidence.state = EvidenceState.RECEIVED
        evidence.progress_share = None
        return None
    if evidence.state != EvidenceState.READING:
        _record_event(session, "evidence.reading", evidence)
    evidence.state = EvidenceState.READING
    evidence.progress_share = 0.0
    return subject_of(evidence, is_guests=session.get_one(Case, evidence.case_id).expires_at is not None)


def finish(
    session: Session,
    subject: Subject,
    report: ReadEvidence,
    output: Path,
    host: hosts.StatedHost,
    *,
    load: Callable[[Path], Reading] = reading_folder.load,
) -> None:
    """Store the result and queue the judgement of the case."""
    # Before the evidence is locked: who changes the case locks both in this order.
    hold(session, subject.case_id)
    if not keep_one(session, ReadFile(subject, report, output, host, load)):
        return
    # Locks the case: a concurrent index refresh waits, then sees the new rows.
    case_changed(session, subject.case_id)
    queue_indexing(session, subject.case_id)


def keep_one(session: Session, file: ReadFile) -> bool:
    """Write the rows of one evidence; False when it no longer exists."""
    kept = keep_rows(session, file)
    if kept is None:
        return False
    evidence, facts = kept
    report = file.report
    if report.state == "rejected":
        _record_event(session, "evidence.rejected", evidence, reason=report.reason)
    else:
        formats = sorted({section.format for section in _all_sections(report)})
        _record_event(session, "evidence.read", evidence, formats=formats, members=len(report.members))
    if STORY_FACT in facts:
        publish(session, WarStoryRead(evidence.id))
    return True


def keep_rows(session: Session, file: ReadFile) -> tuple[Evidence, frozenset[str]] | None:
    """Write the rows of one evidence and nothing else; return it and the names of its facts.

    None when it no longer exists.
    """
    evidence = session.scalar(select(Evidence).where(Evidence.id == file.subject.id).with_for_update())
    if evidence is None:
        return None
    facts = reading_rows.keep(session, evidence, file.report, file.output, file.host, load=file.load)
    session.flush()
    return evidence, facts


def queue_indexing(session: Session, case_id: UUID) -> None:
    """Queue the index refresh of the case if a profile waits for it; the caller holds the case lock."""
    waiting = select(Profile.id).where(Profile.case_id == case_id, ~Profile.has_frames).limit(1)
    if session.scalar(waiting) is not None:
        publish(session, ProfilesRead(case_id))


def demote(session: Session, evidence_id: UUID) -> None:
    """Queue evidence that is too slow for the light queue in the heavy one."""
    if evidence := _received_again(session, evidence_id):
        _record_event(session, "evidence.demoted", evidence)
        queue_slow_reading(session, evidence.id)


def put_back(session: Session, settings: Settings, evidence_id: UUID) -> None:
    """Reset evidence that was removed while being read; queue it again if it was restored meanwhile."""
    if evidence := _received_again(session, evidence_id):
        queue_reading_alone(session, settings, evidence)


def _received_again(session: Session, evidence_id: UUID) -> Evidence | None:
    """Return evidence reset to its unread state; None when it is deleted."""
    evidence = session.scalar(select(Evidence).where(Evidence.id == evidence_id).with_for_update())
    if evidence is None:
        return None
    evidence.state = EvidenceState.RECEIVED
    evidence.progress_share = None
    return evidence if evidence.deleted_at is None else None


def fail(session: Session, evidence_id: UUID, error: str, *, reason: str = OUR_BUG) -> None:
    """Mark the evidence as failed, by a bug of ours or for another stated reason."""
    evidence = session.get(Evidence, evidence_id)
    if evidence is None:
        return
    evidence.state = EvidenceState.FAILED
    evidence.progress_share = None
    evidence.reason = reason
    _record_event(session, "evidence.failed", evidence, error=error)


def reset(session: Session, evidence_id: UUID) -> None:
    """Mark failed evidence as queued."""
    evidence = session.get(Evidence, evidence_id, with_for_update=True)
    if evidence is not None and evidence.state is EvidenceState.FAILED:
        evidence.state, evidence.reason = EvidenceState.RECEIVED, ""
        _record_event(session, "evidence.retried", evidence)


def cancel(session: Session, evidence_id: UUID, *, by: str) -> None:
    """Mark evidence whose reading `by` cancelled; it stays in its case."""
    evidence = session.get(Evidence, evidence_id, with_for_update=True)
    if evidence is None or evidence.state not in {EvidenceState.RECEIVED, EvidenceState.READING}:
        return
    evidence.state = EvidenceState.CANCELLED
    evidence.progress_share = None
    evidence.reason = f"reading was cancelled by {by}; the file is stored"
    _record_event(session, "evidence.cancelled", evidence, actor=by)


def _all_sections(report: ReadEvidence) -> list[Any]:
    return [*report.sections, *(section for member in report.members for section in _all_sections(member))]


def _record_event(
    session: Session, kind: str, evidence: Evidence, *, actor: str = events.SYSTEM, **details: Any
) -> None:
    events.record(
        session,
        kind,
        case_id=evidence.case_id,
        actor=actor,
        payload={
            "evidence_id": str(evidence.id),
            "name": evidence.captured_path or evidence.filename,
            **details,
        },
    )
