"""The table `job`: authoritative state of all work; the broker only carries permits. See `fair_queue`."""

from __future__ import annotations

import enum
import zlib
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, false, func, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.db.base import Base, HasCreatedAt, HasId


class JobState(enum.StrEnum):
    """State of a job; `failed` after too many attempts, for an operator to inspect.

    `cancelled` by somebody, or because its subject was deleted; its result is not stored.
    """

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Job(HasId, HasCreatedAt, Base):
    """One job.

    Attributes:
        kind: Name of its handler, `evidence.read`.
        key: At most one job of a key is queued or running: `read:<evidence>:<version>`, `judge:<case>`.
        subject_id: Id of its subject, a row of the view `job_subject`: the job ends when it is deleted.
        sender: Who is charged for it, see `backend.core.jobs.job_sender`.
        cost_ms: Estimated duration on a worker, in milliseconds.
        virtual_start: The queue's virtual time when it was enqueued.
        attempt: Number of starts; raised before the work begins, and the fencing token of its result.
        generation: Generation of the instance whose worker has it; None: none has it.
        lease_until: Expiry of the lease of its worker.
        run_after: Earliest start.
        resumes: Whether it was cancelled because its subject was deleted, so that a restore queues it again.
        sent_at: When the broker last accepted its permit; None: not accepted, the reaper retries.
    """

    __tablename__ = "job"
    __table_args__ = (
        Index("uq_job_key_open", "key", unique=True, postgresql_where=text("state in ('queued', 'running')")),
        # Workers of versions before the fence state no generation.
        CheckConstraint("state <> 'running' or generation is not null", name="fenced"),
        Index("ix_job_state_run_after", "state", "run_after"),
        Index("ix_job_subject_id", "subject_id"),
        Index(
            "ix_job_queued", "queue", "sender", "run_after", "id", postgresql_where=text("state = 'queued'")
        ),
    )

    kind: Mapped[str]
    key: Mapped[str]
    subject_id: Mapped[UUID | None]
    queue: Mapped[str]
    sender: Mapped[str] = mapped_column(server_default="system")
    cost_ms: Mapped[float] = mapped_column(server_default=text("100"))
    virtual_start: Mapped[float] = mapped_column(server_default=text("0"))
    payload: Mapped[dict[str, Any]]
    state: Mapped[JobState] = mapped_column(default=JobState.QUEUED)
    attempt: Mapped[int] = mapped_column(default=0)
    worker: Mapped[str] = mapped_column(default="")
    generation: Mapped[UUID | None]
    lease_until: Mapped[datetime | None]
    run_after: Mapped[datetime] = mapped_column(server_default=func.now())
    sent_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    last_error: Mapped[str] = mapped_column(default="")
    resumes: Mapped[bool] = mapped_column(default=False, server_default=false())


def error_number(error: str) -> str:
    """Return the number that an error is reported as, eight hexadecimal digits; it may quote evidence."""
    return f"{zlib.crc32(error.encode('utf-8', 'replace')):08x}"


IS_WANTED = (
    "(job.subject_id is null or exists (select from job_subject"
    " where job_subject.id = job.subject_id and not job_subject.is_deleted))"
)
"""SQL that is true for a job whose subject exists. The view and its triggers name every kind of subject."""


JOBS_ENDED = "casebook_jobs_ended"
"""Channel that is notified when jobs are cancelled or lose their subject, see the trigger of deletions."""


class QueueClock(Base):
    """The virtual time of one queue; its row is the lock under which jobs of the queue are claimed.

    Attributes:
        virtual_time: Finish tag of the last claimed job, in milliseconds of one worker.
    """

    __tablename__ = "queue_clock"

    queue: Mapped[str] = mapped_column(primary_key=True)
    virtual_time: Mapped[float] = mapped_column(server_default=text("0"))


class QueueSender(Base):
    """Use of a queue by one sender, or by the class of all guests.

    Attributes:
        virtual_time: Finish tag of its last job, corrected by the real duration.
        slow_until: Until when its jobs are expected to be slow, so that it cannot occupy every worker.
    """

    __tablename__ = "queue_sender"

    queue: Mapped[str] = mapped_column(primary_key=True)
    sender: Mapped[str] = mapped_column(primary_key=True)
    virtual_time: Mapped[float] = mapped_column(server_default=text("0"))
    slow_until: Mapped[datetime | None]
