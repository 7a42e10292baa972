"""Work for later: a job is a row of the same transaction as what caused it; after its commit goes a permit.

A permit is a message of the broker that lets a worker run one job of a queue, whichever is next by then
(`backend.core.fair_queue`).

enqueue(session, "evidence.read", key=f"read:{evidence.id}", subject_id=evidence.id)

@handler("evidence.read")
def read(run: Run) -> None: …
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kombu.exceptions import OperationalError
from redis.exceptions import RedisError
from sqlalchemy import event, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from backend.core import job_sender
from backend.core.broker import QUEUES, RUN_JOB, create_celery
from backend.core.fair_queue import DEFAULT_COST_MS, MIN_COST_MS
from backend.core.job import Job, JobState, QueueClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from uuid import UUID

    from sqlalchemy import Engine
    from sqlalchemy.orm import Session, SessionTransaction, sessionmaker

    from backend.core.run import Run
    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

Handler: TypeAlias = "Callable[[Run], None]"
FailureHandler: TypeAlias = "Callable[[Session, Job, str], None]"

_PENDING = "pending jobs"
_handlers: dict[str, Handler] = {}
_failure_handlers: dict[str, FailureHandler] = {}


class Waiting(NamedTuple):
    """A committed job that a permit is to be sent for."""

    id: UUID
    queue: str


def handler(kind: str) -> Callable[[Handler], Handler]:
    """Register the function that does jobs of `kind`."""

    def register(function: Handler) -> Handler:
        _handlers[kind] = function
        return function

    return register


def on_failure(kind: str) -> Callable[[FailureHandler], FailureHandler]:
    """Register what tells the rest when a job of `kind` is set aside; it runs in that transaction."""

    def register(function: FailureHandler) -> FailureHandler:
        _failure_handlers[kind] = function
        return function

    return register


def handler_of(kind: str) -> Handler:
    """Return the function that does jobs of `kind`.

    Raises:
        KeyError: No module that registers one was imported.
    """
    return _handlers[kind]


def failure_handler_of(kind: str) -> FailureHandler | None:
    """Return what to call when a job of `kind` is set aside, or None when nobody needs to know."""
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
    **payload: Any,
) -> Job:
    """Add a job and return it; while one of the same `key` is queued or running, return that one instead.

    It is sent when `session` commits and forgotten when it rolls back. A job that is running and commits its
    result in this very transaction (`Run.result`) is not in the way.

    Args:
        session: Its transaction.
        kind: Name of the handler.
        key: At most one job of a key is queued or running.
        queue: Its weight class.
        subject_id: What it is about.
        sender: For whom it is done; by default whom the session works for, see `backend.core.job_sender`.
        cost_ms: Estimated milliseconds that it occupies a worker.
        payload: What the handler needs beside that.
    """
    if queue not in QUEUES:
        raise ValueError(f"no queue {queue!r}; there are {', '.join(QUEUES)}")
    sender = sender or job_sender.of(session)
    virtual_start = select(QueueClock.virtual_time).where(QueueClock.queue == queue).scalar_subquery()
    row = insert(Job).values(kind=kind, key=key, queue=queue, subject_id=subject_id, payload=payload)
    row = row.values(sender=sender, cost_ms=max(cost_ms, MIN_COST_MS), virtual_start=virtual_start)
    is_open = text("state in ('queued', 'running')")
    row = row.on_conflict_do_nothing(index_elements=["key"], index_where=is_open)
    new_id = session.scalar(row.returning(Job.id))
    if new_id is not None:
        session.info.setdefault(_PENDING, []).append(Waiting(new_id, queue))
        return session.get_one(Job, new_id)
    existing = session.scalar(
        select(Job).where(Job.key == key, is_open).execution_options(populate_existing=True)
    )
    if existing is None:
        same: dict[str, Any] = {"queue": queue, "subject_id": subject_id, "sender": sender}
        return enqueue(session, kind, key=key, cost_ms=cost_ms, **same, **payload)
    return existing


class Sender:
    """Hands permits for committed jobs to the broker; what it will not take stays for the reaper."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        """Send to the broker of `settings`; note it in the database of `engine`."""
        self._celery = create_celery(settings)
        self._engine = engine

    def send(self, jobs: Iterable[Waiting]) -> None:
        """Send a permit for each of `jobs` and note that."""
        sent: list[UUID] = []
        try:
            for job in jobs:
                self._send_permit(job.queue)
                sent.append(job.id)
        except (OperationalError, RedisError, OSError) as error:
            logger.warning(
                "the broker took %d jobs and then failed; the rest is sent later: %s", len(sent), error
            )
        if not sent:
            return
        try:
            with self._engine.begin() as connection:
                connection.execute(update(Job).where(Job.id.in_(sent)).values(sent_at=func.now()))
        except SQLAlchemyError as error:
            logger.warning(
                "%d sent jobs could not be noted as sent; they are sent again: %s", len(sent), error
            )

    def top_up(self, queue: str, count: int) -> int:
        """Send `count` permits for `queue` if the broker has none; return how many were sent."""
        try:
            if self.waiting(queue):
                return 0
            for _ in range(count):
                self._send_permit(queue)
        except (OperationalError, RedisError, OSError) as error:
            logger.warning("no permits could be sent for the queue %s: %s", queue, error)
            return 0
        return count

    def _send_permit(self, queue: str) -> None:
        self._celery.send_task(RUN_JOB, args=[queue], queue=queue, retry=False)

    def waiting(self, queue: str) -> int:
        """Return how many permits wait in `queue` of the broker.

        Raises:
            OperationalError: The broker is away.
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


__all__ = ["Job", "JobState", "Sender", "Waiting", "enqueue", "handler", "on_failure", "watch"]
