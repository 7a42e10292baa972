"""The table `job`: the truth about work; the broker only carries ids."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.base import Base, HasCreatedAt, HasId


class JobState(enum.StrEnum):
    """Where a job is; `failed` is set aside after too many attempts, for a person to look at."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Job(HasId, HasCreatedAt, Base):
    """One piece of work.

    Attributes:
        kind: Name of its handler, `evidence.read`.
        key: At most one job of a key is queued or running: `read:<evidence>:<version>`, `judge:<case>`.
        subject_id: What it is about, for looking it up.
        attempt: How often it was started; raised before the work begins, and the fence of its result.
        lease_until: Until when the worker that runs it is believed to live.
        run_after: Not to be started earlier.
        sent_at: When the broker took it last; None: it did not, the reaper will try.
    """

    __tablename__ = "job"
    __table_args__ = (
        Index("uq_job_key_open", "key", unique=True, postgresql_where=text("state in ('queued', 'running')")),
        Index("ix_job_state_run_after", "state", "run_after"),
        Index("ix_job_subject_id", "subject_id"),
    )

    kind: Mapped[str]
    key: Mapped[str]
    subject_id: Mapped[UUID | None]
    queue: Mapped[str]
    payload: Mapped[dict[str, Any]]
    state: Mapped[JobState] = mapped_column(default=JobState.QUEUED)
    attempt: Mapped[int] = mapped_column(default=0)
    worker: Mapped[str] = mapped_column(default="")
    lease_until: Mapped[datetime | None]
    run_after: Mapped[datetime] = mapped_column(server_default=func.now())
    sent_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    last_error: Mapped[str] = mapped_column(default="")
