"""Reading one evidence: parse its bytes in the sandbox, store the result in one transaction.

received → reading → read | rejected (bad input, with a reason) | failed (our bug, logged) | cancelled
"""

from __future__ import annotations

import logging
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from backend.cases.queries import hold
from backend.core import events
from backend.core.domain_events import publish
from backend.core.errors import StoredBytesError
from backend.evidence import hosts, reading_rows
from backend.evidence.domain_events import ProfilesRead, WarStoryRead
from backend.evidence.reading_progress import EvidenceRemovedError, Progress
from backend.evidence.receiving import queue_reading_alone, queue_slow_reading
from backend.evidence.service import case_changed
from backend.evidence.subject import Subject, subject_of
from backend.models.case import Case
from backend.models.evidence import Evidence, EvidenceState
from backend.models.profile import Profile
from backend.sandbox.runner import (
    SandboxLimits,
    Source,
    TooSlowError,
    read_in_sandbox,
    read_several_in_sandbox,
)
from ingest.model import reading_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.core.settings import Settings
    from backend.sandbox.report import ReadEvidence
    from ingest.model.reading import Reading

logger = logging.getLogger(__name__)

OUR_BUG = "reading failed after several attempts because of a bug in Casebook; the file is stored"
STORY_FACT = "human.war_story"
GUESTS_CPU_SECONDS = 10
"""Processor seconds for the evidence of a guest; guests must not block workers for signed-in users."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The result of reading one evidence.

    Attributes:
        output: Directory with the reading folders.
        load: Loads one reading folder, cached.
    """

    subject: Subject
    report: ReadEvidence
    output: Path
    host: hosts.StatedHost
    load: Callable[[Path], Reading]


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
    with tempfile.TemporaryDirectory(dir=scratch_of(run), prefix="read-") as scratch:
        file = read_subject(run, subject, Path(scratch))
        run.check()
        with run.putting():
            if not is_there(run, subject.id):
                return
            reading_rows.put_folders(run.store, file.output, file.report)
            with run.result() as session:
                finish(session, subject, file.report, file.output, file.host, load=file.load)


def read_subject(
    run: Run, subject: Subject, scratch: Path, *, on_progress: Callable[[float], None] | None = None
) -> ReadFile:
    """Read the bytes of `subject` in a sandbox below `scratch`, an empty directory.

    The evidence shows the progress, unless `on_progress` is given.

    Raises:
        SandboxCrashError: The sandbox crashed.
        EvidenceRemovedError: The evidence was removed from its case.
    """
    content, output = scratch / "content", scratch / "output"
    output.mkdir()
    run.store.fetch(subject.sha256, content)
    report = read_in_sandbox(
        content,
        output=output,
        limits=limits_of(run, subject),
        name=subject.filename,
        captured_path=subject.captured_path,
        on_progress=on_progress or Progress(run.sessions, subject),
        check=run.check,
    )
    return _read_file(subject, report, output)


def read_together(run: Run, subjects: Sequence[Subject], scratch: Path, *, seconds: float) -> list[ReadFile]:
    """Read small files of one case in one sandbox below `scratch`, an empty directory.

    Args:
        run: The job.
        subjects: The files; the first is always read.
        scratch: Where their bytes and readings are.
        seconds: After this time no further file is begun.

    Returns:
        The first of `subjects` as they were read.

    Raises:
        LimitHitError: Together they need more than one may.
        SandboxCrashError: The sandbox crashed.
        TooSlowError: Together they take longer than a first try may.
    """
    output = scratch / "output"
    output.mkdir()
    sources = []
    for number, subject in enumerate(subjects):
        content = scratch / f"content-{number}"
        run.store.fetch(subject.sha256, content)
        sources.append(Source(content, subject.filename, subject.captured_path))
    reports = read_several_in_sandbox(
        sources, output=output, limits=limits_of(run, subjects[0]), seconds=seconds, check=run.check
    )
    read = zip(subjects, reports, strict=False)
    return [_read_file(subject, report, output / str(at)) for at, (subject, report) in enumerate(read)]


def _read_file(subject: Subject, report: ReadEvidence, output: Path) -> ReadFile:
    report = report.model_copy(update={"sha256": subject.sha256, "size_bytes": subject.size_bytes})
    load = cache(reading_folder.load)
    return ReadFile(subject, report, output, hosts.stated(report, output, load), load)


def limits_of(run: Run, subject: Subject) -> SandboxLimits:
    """Return the sandbox limits for `subject`; in the light queue it is a first try.

    Evidence that was too slow there gets the limits of its size in the heavy queue.
    """
    is_heavy = run.queue == "heavy" and not run.payload.get("is_slow", False)
    limits = SandboxLimits.of(run.settings, is_heavy=is_heavy)
    if subject.is_guests:
        limits = replace(limits, cpu_seconds=min(limits.cpu_seconds, GUESTS_CPU_SECONDS))
    first_seconds = run.settings.light_cpu_seconds
    if run.queue == "light" and first_seconds < limits.cpu_seconds:
        return replace(limits, cpu_seconds=first_seconds, is_first_try=True)
    return limits


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


def scratch_of(run: Run) -> Path:
    """Create and return the scratch directory of this job."""
    run.settings.scratch_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    return run.settings.scratch_dir
