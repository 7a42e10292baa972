"""Healing the job table: what a dead worker held, what the broker never got, what it lost.

Any number of reapers may run: rows are taken with SKIP LOCKED.
"""

from __future__ import annotations

import logging
import os
import socket
from datetime import timedelta
from typing import TYPE_CHECKING

from kombu.exceptions import OperationalError
from redis.exceptions import RedisError
from sqlalchemy import func, select

from backend.core.broker import QUEUES
from backend.core.job import Job, JobState
from backend.core.jobs import settle_failure
from backend.core.queue import Sender, Waiting

if TYPE_CHECKING:
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

UNSENT_AFTER = timedelta(seconds=5)
LOST_AFTER = timedelta(seconds=30)
BATCH = 500
HERE = f"{socket.gethostname()}:"
"""What the names of this machine's workers begin with, see `backend.core.jobs.WORKER`."""

EXPIRED = "the worker that had it did not answer any more"


def reap(sessions: sessionmaker[Session], settings: Settings, sender: Sender) -> int:
    """Do all of it once; return how many jobs were touched."""
    expired = take_back_expired(sessions, settings) + take_back_orphaned(sessions, settings)
    with sessions.begin() as session:
        unsent = unsent_jobs(session)
    sender.send(unsent)
    with sessions.begin() as session:
        lost = lost_jobs(session, sender)
    sender.send(lost)
    touched = expired + len(unsent) + len(lost)
    if touched:
        logger.info(
            "took back %d expired jobs, sent %d unsent and %d lost ones", expired, len(unsent), len(lost)
        )
    return touched


def take_back_expired(sessions: sessionmaker[Session], settings: Settings) -> int:
    """Queue jobs again whose worker fell silent; set those aside that were tried too often."""
    with sessions.begin() as session:
        expired = session.scalars(
            select(Job)
            .where(Job.state == JobState.RUNNING, Job.lease_until < func.now())
            .order_by(Job.lease_until)
            .limit(BATCH)
            .with_for_update(skip_locked=True)
        ).all()
        for job in expired:
            settle_failure(session, job, settings, EXPIRED)
        return len(expired)


def take_back_orphaned(sessions: sessionmaker[Session], settings: Settings) -> int:
    """Queue jobs again at once whose worker, a process of this machine, is dead: no lease is waited for.

    Only where the broker is ours: it listens on a socket in our own directory, so every worker is a process
    that we can see. Elsewhere another machine may have the same name, and its workers look dead from here.
    """
    if not settings.embeds_broker:
        return 0
    with sessions.begin() as session:
        running = session.scalars(
            select(Job)
            .where(Job.state == JobState.RUNNING, Job.worker.startswith(HERE, autoescape=True))
            .limit(BATCH)
            .with_for_update(skip_locked=True)
        ).all()
        orphaned = [job for job in running if not _is_alive(int(job.worker.removeprefix(HERE)))]
        for job in orphaned:
            settle_failure(session, job, settings, EXPIRED)
        return len(orphaned)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def unsent_jobs(session: Session) -> list[Waiting]:
    """Return due jobs that the broker never got; those just committed are still being sent."""
    rows = session.execute(
        select(Job.id, Job.queue)
        .where(
            Job.state == JobState.QUEUED,
            Job.sent_at.is_(None),
            Job.run_after <= func.now(),
            Job.created_at < func.now() - UNSENT_AFTER,
        )
        .order_by(Job.run_after)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    return [Waiting(job_id, queue) for job_id, queue in rows]


def lost_jobs(session: Session, sender: Sender) -> list[Waiting]:
    """Return jobs that were sent and never taken although nothing waits in their queue any more."""
    lost: list[Waiting] = []
    for queue in QUEUES:
        try:
            is_empty = sender.waiting(queue) == 0
        except (OperationalError, RedisError, OSError) as error:
            logger.warning("the broker cannot be asked what it holds: %s", error)
            return []
        if is_empty:
            rows = session.execute(
                select(Job.id)
                .where(
                    Job.state == JobState.QUEUED,
                    Job.queue == queue,
                    Job.run_after <= func.now(),
                    Job.sent_at < func.now() - LOST_AFTER,
                )
                .order_by(Job.sent_at)
                .limit(BATCH)
                .with_for_update(skip_locked=True)
            )
            lost += [Waiting(job_id, queue) for (job_id,) in rows]
    return lost
