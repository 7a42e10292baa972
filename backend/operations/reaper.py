"""Reaper of the job table: expired leases of dead workers, lost permits.

Any number of reapers may run: rows are taken with SKIP LOCKED.
"""

from __future__ import annotations

import logging
import os
import socket
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.core.jobs import fair_queue, fence
from backend.core.jobs.broker import QUEUES
from backend.core.jobs.job import Job, JobState
from backend.core.jobs.queue import PendingPermit, Sender
from backend.core.jobs.runner import settle_failure

if TYPE_CHECKING:
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

UNSENT_AFTER = timedelta(seconds=5)
LOST_AFTER = timedelta(seconds=30)
BATCH = 500
HERE = f"{socket.gethostname()}:"
"""Prefix of the worker names of this host, see `backend.core.jobs.runner.worker_name`."""

EXPIRED = "the worker that had it did not answer any more"


def reap(sessions: sessionmaker[Session], settings: Settings, sender: Sender) -> int:
    """Run all steps once; return the number of jobs touched.

    Raises:
        SettingsError: This reaper is of another instance or version than the database.
    """
    with sessions() as session:
        fence.claimant_of(sessions).require(session.connection())
    expired = take_back_expired(sessions, settings) + take_back_orphaned(sessions, settings)
    with sessions.begin() as session:
        unsent = unsent_jobs(session)
    sender.send(unsent)
    with sessions.begin() as session:
        waiting = waiting_permits(session, settings)
    topped_up = sum(sender.top_up(queue, count) for queue, count in waiting.items())
    with sessions.begin() as session:
        fair_queue.forget_idle(session)
    touched = expired + len(unsent) + topped_up
    if touched:
        logger.info(
            "took back %d expired jobs, sent permits for %d unsent and %d waiting ones",
            expired,
            len(unsent),
            topped_up,
        )
    return touched


def take_back_expired(sessions: sessionmaker[Session], settings: Settings) -> int:
    """Requeue jobs with an expired lease; fail those out of attempts."""
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
    """Requeue jobs of dead local workers at once, without waiting for the lease.

    Only with our own broker on a local socket, where every worker is a visible process. Otherwise another
    host of the same name may exist, whose workers look dead from here.
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


def unsent_jobs(session: Session) -> list[PendingPermit]:
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
    return [PendingPermit(job_id, queue) for job_id, queue in rows]


def waiting_permits(session: Session, settings: Settings) -> dict[str, int]:
    """Return the number of permits to send per queue for jobs sent long ago and not taken.

    The broker lost them, or they were dropped while jobs of their senders ran. One permit per worker is
    enough: a worker with more to do sends the next.
    """
    wanted: dict[str, int] = {}
    for queue in QUEUES:
        due = (
            select(Job.id)
            .where(
                Job.state == JobState.QUEUED,
                Job.queue == queue,
                Job.run_after <= func.now(),
                Job.sent_at < func.now() - LOST_AFTER,
            )
            .limit(settings.workers_of(queue))
        )
        count = len(session.scalars(due).all())
        if count:
            wanted[queue] = count
    return wanted
