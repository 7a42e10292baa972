"""Transactional job queue: a job is a row of the causing transaction; a permit follows its commit.

A permit is a broker message that lets a worker run one job of a queue, whichever is next by then
(`backend.core.jobs.fair_queue`).

enqueue(session, "evidence.read", key=f"read:{evidence.id}", subject_id=evidence.id)

@handler("evidence.read")
def read(run: Run) -> None: …
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kombu.exceptions import OperationalError
from redis.exceptions import RedisError
from sqlalchemy import event, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from backend.core import tracing
from backend.core.jobs import job_sender
from backend.core.jobs.broker import QUEUES, RUN_JOB, create_celery
from backend.core.jobs.fair_queue import DEFAULT_COST_MS, MIN_COST_MS
from backend.core.jobs.job import Job, JobState, QueueClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from uuid import UUID

    from sqlalchemy import Engine
    from sqlalchemy.orm import Session, SessionTransaction, sessionmaker

    from backend.core.jobs.run import Run
    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

Handler: TypeAlias = "Callable[[Run], None]"
FailureHandler: TypeAlias = "Callable[[Session, Job, str], None]"

MARGIN_SECONDS = 0.05
"""Extra delay of a permit after a delayed job is due: clocks of two machines differ."""

_PENDING = "pending jobs"
_handlers: dict[str, Handler] = {}
_failure_handlers: dict[str, FailureHandler] = {}


class PendingPermit(NamedTuple):
    """A committed job whose permit is to be sent, for delivery after `delay_seconds`."""

    id: UUID
    queue: str
    delay_seconds: float = 0.0


def handler(kind: str) -> Callable[[Handler], Handler]:
    """Register the handler of jobs of `kind`."""

    def register(function: Handler) -> Handler:
        _handlers[kind] = function
        return function

    return register


def on_failure(kind: str) -> Callable[[FailureHandler], FailureHandler]:
    """Register a callback for failed jobs of `kind`; it runs in the same transaction."""

    def register(function: FailureHandler) -> FailureHandler:
        _failure_handlers[kind] = function
        return function

    return register


def handler_of(kind: str) -> Handler:
    """Return the handler of jobs of `kind`.

    Raises:
        KeyError: No imported module registers one.
    """
    return _handlers[kind]


def failure_handler_of(kind: str) -> FailureHandler | None:
    """Return the callback for failed jobs of `kind`, or None."""
    return _failure_handlers.get(kind)


def enqueue(
    session: Session,
    kind: str,
    *,
    key: str,
    queue: str = "light",
    subject_id: UUID | None = None,
    sender: str = "",
    cost_ms: float = DEFAULT_COST_MS,
    delay_seconds: float = 0.0,
    **payload: Any,
) -> Job:
    """Add a job and return it; while one of the same `key` is queued or running, return that one instead.

    A job waiting for its first attempt is brought forward if now wanted earlier.

    Its permit is sent after `session` commits, and dropped on rollback. A running job that commits its result
    in this same transaction (`Run.result`) does not block its key.

    Args:
        session: Its transaction.
        kind: Name of the handler.
        key: At most one job of a key is queued or running.
        queue: `light` or `heavy`.
        subject_id: Id of its subject.
        sender: Who is charged; by default the sender of the session, see
            `backend.core.jobs.job_sender`.
        cost_ms: Estimated duration on a worker, in milliseconds.
        delay_seconds: Delay of the earliest start.
        payload: Arguments of the handler.
    """
    if queue not in QUEUES:
        raise ValueError(f"no queue {queue!r}; expected one of {', '.join(QUEUES)}")
    sender = sender or job_sender.of(session)
    virtual_start = select(QueueClock.virtual_time).where(QueueClock.queue == queue).scalar_subquery()
    traced = payload | tracing.carrier()
    row = insert(Job).values(kind=kind, key=key, queue=queue, subject_id=subject_id, payload=traced)
    row = row.values(sender=sender, cost_ms=max(cost_ms, MIN_COST_MS), virtual_start=virtual_start)
    if delay_seconds:
        row = row.values(run_after=_in(delay_seconds))
    is_open = text("state in ('queued', 'running')")
    row = row.on_conflict_do_nothing(index_elements=["key"], index_where=is_open)
    new: Job | None = session.scalar(row.returning(Job))
    if new is not None:
        session.info.setdefault(_PENDING, []).append(PendingPermit(new.id, queue, delay_seconds))
        return new
    existing = session.scalar(
        select(Job).where(Job.key == key, is_open).execution_options(populate_existing=True)
    )
    if existing is None:
        same: dict[str, Any] = {"queue": queue, "subject_id": subject_id, "sender": sender}
        same |= {"cost_ms": cost_ms, "delay_seconds": delay_seconds}
        return enqueue(session, kind, key=key, **same, **payload)
    _bring_forward(session, existing, delay_seconds)
    return existing


def _bring_forward(session: Session, job: Job, delay_seconds: float) -> None:
    """Start a delayed job in `delay_seconds`, if that is earlier; a retry keeps its pause."""
    is_delayed = job.run_after > job.created_at
    if job.state is not JobState.QUEUED or job.attempt > 0 or not is_delayed:
        return
    is_later = Job.run_after > _in(delay_seconds)
    brought = update(Job).where(Job.id == job.id, Job.state == JobState.QUEUED, is_later)
    brought = brought.values(run_after=_in(delay_seconds)).returning(Job.id)
    if session.scalar(brought) is not None:
        session.info.setdefault(_PENDING, []).append(PendingPermit(job.id, job.queue, delay_seconds))


def _in(seconds: float) -> Any:
    return func.now() + timedelta(seconds=seconds)


class Sender:
    """Sends permits of committed jobs to the broker; the reaper resends those it did not accept."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        """Send to the broker of `settings`; mark jobs as sent in the database of `engine`."""
        self._celery = create_celery(settings)
        self._engine = engine

    def send(self, jobs: Iterable[PendingPermit]) -> None:
        """Send a permit for each of `jobs`, and mark them as sent."""
        sent: list[UUID] = []
        try:
            for job in jobs:
                self._send_permit(job.queue, job.delay_seconds)
                sent.append(job.id)
        except (OperationalError, RedisError, OSError) as error:
            logger.warning(
                "the broker accepted %d jobs and then failed; the rest is sent later: %s", len(sent), error
            )
        if not sent:
            return
        try:
            with self._engine.begin() as connection:
                connection.execute(update(Job).where(Job.id.in_(sent)).values(sent_at=func.now()))
        except SQLAlchemyError as error:
            logger.warning(
                "%d sent jobs could not be marked as sent; they are sent again: %s", len(sent), error
            )

    def top_up(self, queue: str, count: int) -> int:
        """Send `count` permits for `queue` if the broker has none; return how many were sent."""
        try:
            if self.waiting(queue):
                return 0
            for _ in range(count):
                self._send_permit(queue)
        except (OperationalError, RedisError, OSError) as error:
            logger.warning("permits for the queue %s could not be sent: %s", queue, error)
            return 0
        return count

    def _send_permit(self, queue: str, delay_seconds: float = 0.0) -> None:
        # A permit delivered before its job is due would be dropped.
        countdown = delay_seconds + MARGIN_SECONDS if delay_seconds else None
        self._celery.send_task(RUN_JOB, args=[queue], queue=queue, retry=False, countdown=countdown)

    def waiting(self, queue: str) -> int:
        """Return the number of waiting permits in `queue` of the broker.

        Raises:
            OperationalError: The broker is unavailable.
        """
        with self._celery.connection_for_read() as connection, connection.channel() as channel:
            return int(channel.client.llen(queue))


def watch(sessions: sessionmaker[Session]) -> None:
    """Send the jobs of every session of `sessions` after its commit."""
    event.listen(sessions, "after_commit", _send)
    event.listen(sessions, "after_transaction_end", _forget)


def _send(session: Session) -> None:
    pending = session.info.pop(_PENDING, [])
    if pending:
        session.info["sender"].send(pending)


def _forget(session: Session, ended: SessionTransaction) -> None:
    if ended.parent is None:
        session.info.pop(_PENDING, None)


__all__ = ["Job", "JobState", "PendingPermit", "Sender", "enqueue", "handler", "on_failure", "watch"]
