"""Batched reading of small evidence: one job and one sandbox per batch of a case.

A batch is bounded in files, bytes and seconds for fairness among senders; the remainder forms the next
batch. When the sandbox crashes or meets a limit, each file is read in a sandbox of its own. A file that
crashes that one gets a job of its own, and so does every file of a batch that failed as a whole or lost its
worker: one bad file never fails its neighbours.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from sqlalchemy import String, cast, literal, select

from backend.core.jobs.job import Job, JobState
from backend.evidence import read_files, reading
from backend.evidence.reading_progress import EvidenceRemovedError
from backend.evidence.receiving import READ_KEY, queue_small_alone
from backend.evidence.subject import subject_of
from backend.models.case import Case
from backend.models.evidence import Evidence, EvidenceState
from backend.sandbox.runner import LimitHitError, SandboxCrashError, TooSlowError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy import BindParameter, ColumnElement
    from sqlalchemy.orm import InstrumentedAttribute, Session

    from backend.core.jobs.run import Run
    from backend.core.settings import Settings
    from backend.evidence.read_files import ReadFile
    from backend.evidence.subject import Subject

logger = logging.getLogger(__name__)

MAX_FILES = 32
MAX_BYTES = 8 << 20
MAX_SECONDS = 2.0
"""No further file is started after this time."""


@dataclass(slots=True)
class Batch:
    """The files of a batch by outcome.

    Attributes:
        read: Read or rejected.
        crashed: To be read alone.
        slow: To be read in the heavy queue.
        removed: No longer in the case.
    """

    read: list[ReadFile] = field(default_factory=list)
    crashed: list[UUID] = field(default_factory=list)
    slow: list[UUID] = field(default_factory=list)
    removed: list[UUID] = field(default_factory=list)


def has_own_job(prefix: str, row_id: InstrumentedAttribute[UUID]) -> ColumnElement[bool]:
    """Return the SQL condition that a job with the key `prefix` + row id is queued or running."""
    key = literal(prefix) + cast(row_id, String)
    is_open = Job.state.in_([JobState.QUEUED, JobState.RUNNING])
    return select(Job.id).where(Job.key == key, is_open).exists()


def waiting(session: Session, case_id: UUID, *, limit: int | None = None) -> list[Subject]:
    """Return the evidence of the case waiting for a batch, oldest first, at most `limit`."""
    query = (
        select(Evidence, Case.expires_at)
        .join(Case, Case.id == Evidence.case_id)
        .where(*_waits(case_id))
        .order_by(Evidence.id)
        .limit(limit)
    )
    return [
        subject_of(evidence, is_guests=expires_at is not None)
        for evidence, expires_at in session.execute(query)
    ]


def is_waiting(case_id: UUID | BindParameter[UUID]) -> ColumnElement[bool]:
    """Return the SQL condition that evidence of the case waits for a batch."""
    return select(Evidence.id).where(*_waits(case_id)).exists()


def _waits(case_id: UUID | BindParameter[UUID]) -> tuple[ColumnElement[bool], ...]:
    return (
        Evidence.case_id == case_id,
        Evidence.parent_id.is_(None),
        Evidence.state.in_([EvidenceState.RECEIVED, EvidenceState.READING]),
        Evidence.deleted_at.is_(None),
        ~has_own_job(READ_KEY, Evidence.id),
    )


def read(run: Run, subjects: Sequence[Subject], scratch: Path) -> Batch:
    """Read `subjects` below `scratch` until the batch is full; the rest waits for the next batch."""
    fitting = _fitting(subjects)
    if len(fitting) > 1:
        together = scratch / "together"
        together.mkdir()
        try:
            return Batch(read=read_files.read_together(run, fitting, together, seconds=MAX_SECONDS))
        except (LimitHitError, SandboxCrashError, TooSlowError):
            logger.exception("%d files could not be read together; each is read alone", len(fitting))
    return _read_alone(run, fitting, scratch)


def _fitting(subjects: Sequence[Subject]) -> list[Subject]:
    """Return the first of `subjects`, and those behind it that fit into the bytes of a batch with it."""
    sizes = accumulate(subject.size_bytes for subject in subjects)
    fitting = [subject for subject, size in zip(subjects, sizes, strict=True) if size <= MAX_BYTES]
    return fitting or list(subjects[:1])


def _read_alone(run: Run, subjects: Sequence[Subject], scratch: Path) -> Batch:
    """Read each of `subjects` in a sandbox of its own, as many as are begun in time."""
    batch = Batch()
    deadline = time.monotonic() + MAX_SECONDS
    for number, subject in enumerate(subjects):
        if number > 0 and time.monotonic() > deadline:
            break
        try:
            place = scratch / str(number)
            place.mkdir()
            batch.read.append(read_files.read_subject(run, subject, place))
        except SandboxCrashError:
            logger.exception("the sandbox of evidence %s crashed; it is read alone", subject.id)
            batch.crashed.append(subject.id)
        except TooSlowError as slow:
            logger.info("evidence %s goes on in the heavy queue: %s", subject.id, slow)
            batch.slow.append(subject.id)
        except EvidenceRemovedError:
            batch.removed.append(subject.id)
    return batch


def keep(session: Session, settings: Settings, batch: Batch) -> int:
    """Write the rows of `batch`; return how many files changed the evidence of the case."""
    changed = 0
    for file in batch.read:
        changed += reading.keep_one(session, file)
    for evidence_id in batch.crashed:
        evidence = session.scalar(select(Evidence).where(Evidence.id == evidence_id).with_for_update())
        if evidence is not None and evidence.state is not EvidenceState.READ:
            evidence.state, evidence.progress_share = EvidenceState.RECEIVED, None
            queue_small_alone(session, evidence_id)
    for evidence_id in batch.slow:
        reading.demote(session, evidence_id)
    for evidence_id in batch.removed:
        reading.put_back(session, settings, evidence_id)
    return changed


def cancel(session: Session, case_id: UUID, *, by: str) -> None:
    """Mark every file waiting for a batch of the case as cancelled by `by`."""
    for subject in waiting(session, case_id):
        reading.cancel(session, subject.id, by=by)


def split(session: Session, case_id: UUID) -> None:
    """Give every file waiting for a batch of the case a job of its own; the caller holds the case lock."""
    for subject in waiting(session, case_id):
        queue_small_alone(session, subject.id)
