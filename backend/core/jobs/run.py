"""One attempt at a job: the context of its handler, and the transaction of its result."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, text, update

from backend.core.jobs import fence, job_sender
from backend.core.jobs.job import IS_WANTED, Job, JobState
from backend.core.storage import gc_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.jobs.heartbeat import Heartbeat
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store


class LostLeaseError(Exception):
    """The lease is lost, or the job was cancelled; nothing of this attempt may be stored."""


@dataclass(slots=True)
class Run:
    """One attempt at one job, passed to its handler."""

    job_id: UUID
    kind: str
    payload: dict[str, Any]
    subject_id: UUID | None
    queue: str
    sender: str
    attempt: int
    settings: Settings
    store: Store
    sessions: sessionmaker[Session]
    heartbeat: Heartbeat
    is_finished: bool = False

    def check(self) -> None:
        """Require that the lease is still ours and the job is not cancelled.

        Raises:
            LostLeaseError: It is lost.
        """
        if self.heartbeat.is_lost:
            raise LostLeaseError(f"job {self.job_id} attempt {self.attempt} lost its lease")

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Yield a separate transaction, for reading and for progress: it commits at the end of the block."""
        with self.sessions.begin() as session:
            job_sender.attribute(session, self.sender)
            yield session

    @contextmanager
    def putting(self) -> Iterator[None]:
        """Block garbage collection of the store while the block writes to it and stores its result."""
        with self.sessions.begin() as session:
            gc_lock.put_until_commit(session)
            yield

    @contextmanager
    def result(self, *, first: Callable[[Session], object] | None = None) -> Iterator[Session]:
        """Yield the transaction that stores the result and ends the job, atomically.

        Jobs enqueued in it may reuse the key of this one. `first` takes locks that other transactions hold
        when they enqueue this key: taken after the end of the job is written, they would deadlock.

        Raises:
            LostLeaseError: The lease is lost; the block does not run.
        """
        with self.sessions.begin() as session:
            job_sender.attribute(session, self.sender)
            if first is not None:
                first(session)
            self._fence(session)
            yield session
        self.is_finished = True

    def _fence(self, session: Session) -> None:
        ended = session.execute(
            update(Job)
            .where(Job.id == self.job_id, Job.attempt == self.attempt, Job.state == JobState.RUNNING)
            .where(fence.claimant_of(self.sessions).fits(), text(IS_WANTED))
            .values(state=JobState.DONE, finished_at=func.now(), lease_until=None, last_error="")
            .returning(Job.id)
        ).one_or_none()
        if ended is None:
            raise LostLeaseError(f"job {self.job_id} attempt {self.attempt} lost its lease")
