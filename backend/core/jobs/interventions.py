"""What people do with a job: cancel an open one, run a failed one again, or dismiss it.

@on_cancel("evidence.read")
def cancel_reading(session: Session, job: Job, by: str) -> None: …
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import func, select

from backend.core.jobs.job import JOBS_ENDED, Job, JobState
from backend.core.jobs.queue import enqueue

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

CancelHandler: TypeAlias = "Callable[[Session, Job, str], None]"
RetryHandler: TypeAlias = "Callable[[Session, Job], None]"

_cancel_handlers: dict[str, CancelHandler] = {}
_retry_handlers: dict[str, RetryHandler] = {}


def on_cancel(kind: str) -> Callable[[CancelHandler], CancelHandler]:
    """Register a callback for jobs of `kind` that somebody, named by its last argument, cancels."""

    def register(function: CancelHandler) -> CancelHandler:
        _cancel_handlers[kind] = function
        return function

    return register


def on_retry(kind: str) -> Callable[[RetryHandler], RetryHandler]:
    """Register a callback that resets the subject of a failed job of `kind` before it runs again."""

    def register(function: RetryHandler) -> RetryHandler:
        _retry_handlers[kind] = function
        return function

    return register


def cancel(session: Session, job: Job, *, by: str) -> None:
    """Cancel a locked, open job for `by`; a worker that has it stops at once.

    Raises:
        KeyError: Jobs of its kind cannot be cancelled: no imported module says what becomes of their subject.
    """
    settle_subject = _cancel_handlers[job.kind]
    _end(session, job)
    session.execute(select(func.pg_notify(JOBS_ENDED, "")))
    settle_subject(session, job, by)


def dismiss(session: Session, job: Job) -> None:
    """Take a locked, failed job off the list of failed ones; its subject stays as it is."""
    _end(session, job)


def retry(session: Session, job: Job) -> Job:
    """Queue the work of a locked, failed job again, as a new job with all its attempts; return that one."""
    _end(session, job)
    if job.kind in _retry_handlers:
        _retry_handlers[job.kind](session, job)
    return enqueue(
        session,
        job.kind,
        key=job.key,
        queue=job.queue,
        subject_id=job.subject_id,
        sender=job.sender,
        cost_ms=job.cost_ms,
        **job.payload,
    )


def _end(session: Session, job: Job) -> None:
    job.state, job.finished_at = JobState.CANCELLED, func.now()
    job.lease_until = job.generation = None
    session.flush()
