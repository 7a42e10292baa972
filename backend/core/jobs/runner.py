"""Job runner: claim, renew the lease, finish exactly once, charge.

The attempt is counted and committed *before* the work begins, so a job that kills its worker also reaches the
limit. Only the result is one transaction with the end of the job, guarded by the lease.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, text, update

from backend.core import events, tracing
from backend.core.db.notifications import listen_conninfo
from backend.core.db.outages import is_outage, outlast
from backend.core.jobs import fair_queue, fence, queue
from backend.core.jobs.heartbeat import Heartbeat
from backend.core.jobs.job import IS_WANTED, Job, JobState, error_number
from backend.core.jobs.run import LostLeaseError, Run
from backend.core.logs.context import JOB_ID

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

logger = logging.getLogger(__name__)

FIRST_RETRY_SECONDS = 5.0
MAX_ERROR_CHARS = 2000
_CANCELLED = {
    "state": JobState.CANCELLED,
    "resumes": True,
    "generation": None,
    "lease_until": None,
    "finished_at": func.now(),
}
"""Of a job whose subject was deleted: as the trigger does it, see the migration that created it."""


def worker_name() -> str:
    """Return host name and pid of this process, the worker of the jobs that it runs."""
    return f"{socket.gethostname()}:{os.getpid()}"


def run_next(
    queue_name: str, settings: Settings, sessions: sessionmaker[Session], store: Store
) -> JobState | None:
    """Run the next job of a queue; return its final state, None when there was none.

    While more of the queue is due, the broker is topped up with permits: those that found only senders with
    enough running jobs were dropped. A database that is away is waited for, as long as a lease lasts.

    Raises:
        DBAPIError: The database is away for longer.
        WorkerFencedError: This worker is of another instance or generation.
        DatabaseTooNewError: It is of an older version than the database.
    """
    job = outlast(lambda: claim_next(sessions, queue_name, settings), seconds=settings.lease_seconds)
    if job is None:
        claimant = fence.claimant_of(sessions)
        with sessions() as session:
            # Bursts leave permits without a job: one statement, and more only to say what is wrong.
            if not session.scalar(select(claimant.fits())):
                claimant.require(session.connection())
        return None
    began = time.monotonic()
    try:
        return perform(job, settings, sessions, store)
    finally:
        took_ms = (time.monotonic() - began) * 1000
        if outlast(lambda: _charge(sessions, job, took_ms), seconds=settings.lease_seconds):
            sessions.kw["info"]["sender"].top_up(queue_name, 1)


def _charge(sessions: sessionmaker[Session], job: Job, took_ms: float) -> bool:
    with sessions.begin() as session:
        return fair_queue.charge(session, job, took_ms)


def run_job(
    job_id: UUID, settings: Settings, sessions: sessionmaker[Session], store: Store
) -> JobState | None:
    """Run one specific job; return its final state, None when it cannot be claimed now."""
    job = claim(sessions, job_id, settings)
    return None if job is None else perform(job, settings, sessions, store)


def perform(job: Job, settings: Settings, sessions: sessionmaker[Session], store: Store) -> JobState | None:
    """Run a claimed job; return its final state, None when the lease was lost."""
    token = JOB_ID.set(str(job.id))
    try:
        parent = str(job.payload.get(tracing.CARRIER, ""))
        with tracing.span(job.kind, parent=parent, job_id=str(job.id), attempt=job.attempt, queue=job.queue):
            return _performed(job, settings, sessions, store)
    finally:
        JOB_ID.reset(token)


def _performed(
    job: Job, settings: Settings, sessions: sessionmaker[Session], store: Store
) -> JobState | None:
    run_of_job = queue.handler_of(job.kind)
    claimant = fence.claimant_of(sessions)
    conninfo = listen_conninfo(settings, sessions)
    with Heartbeat(settings, conninfo, claimant, job.id, job.attempt) as heartbeat:
        run = Run(
            job_id=job.id,
            kind=job.kind,
            payload=job.payload,
            subject_id=job.subject_id,
            queue=job.queue,
            sender=job.sender,
            attempt=job.attempt,
            settings=settings,
            store=store,
            sessions=sessions,
            heartbeat=heartbeat,
        )
        try:
            run_of_job(run)
            if not run.is_finished:
                with run.result():
                    pass
        except Exception as error:  # noqa: BLE001 - whatever it is, the job is given back
            # While the lease is renewed: as soon as the database answers, not when the lease ends.
            settle = partial(_settle, sessions, job, settings, error)
            return outlast(settle, seconds=settings.lease_seconds)
    return JobState.DONE


def _settle(
    sessions: sessionmaker[Session], job: Job, settings: Settings, error: Exception
) -> JobState | None:
    """Give back an attempt that ended with `error`, unless it lost its lease or was cancelled."""
    if is_cancelled(sessions, job):
        logger.info("job %s (%s) was cancelled and ended with: %s", job.id, job.kind, error)
        return JobState.CANCELLED
    if isinstance(error, LostLeaseError):
        logger.warning("%s; its result is dropped", error)
        return None
    is_away = is_outage(error)
    state = give_back(sessions, job, settings, f"{type(error).__name__}: {error}", is_due=is_away)
    if is_away:
        logger.warning("job %s (%s), attempt %d, lost the database: %s", job.id, job.kind, job.attempt, error)
    else:
        logger.error("job %s (%s) failed, attempt %d", job.id, job.kind, job.attempt, exc_info=error)
    return state


def claim(sessions: sessionmaker[Session], job_id: UUID, settings: Settings) -> Job | None:
    """Claim a queued, due job and count the attempt; None when it cannot be claimed."""
    claimant = fence.claimant_of(sessions)
    is_due = (Job.state == JobState.QUEUED) & (Job.run_after <= func.now())
    with sessions.begin() as session:
        job = session.scalar(
            update(Job)
            .where(Job.id == job_id, is_due, claimant.fits())
            .values(
                state=JobState.RUNNING,
                attempt=Job.attempt + 1,
                worker=worker_name(),
                generation=claimant.generation,
                started_at=func.now(),
                lease_until=func.now() + _seconds(settings.lease_seconds),
            )
            .returning(Job)
        )
        if job is not None:
            session.expunge(job)
        return job


def claim_next(sessions: sessionmaker[Session], queue_name: str, settings: Settings) -> Job | None:
    """Claim the next job of a queue and count the attempt; None when there is none."""
    with sessions.begin() as session:
        job = fair_queue.take(
            session,
            queue_name,
            workers=settings.workers_of(queue_name),
            worker=worker_name(),
            claimant=fence.claimant_of(sessions),
            lease_seconds=settings.lease_seconds,
        )
        if job is not None:
            session.expunge(job)
        return job


def expire_all_leases(sessions: sessionmaker[Session]) -> None:
    """Expire every lease: for use when no worker can be alive."""
    with sessions.begin() as session:
        session.execute(update(Job).where(Job.state == JobState.RUNNING).values(lease_until=func.now()))


def is_cancelled(sessions: sessionmaker[Session], job: Job) -> bool:
    """Return whether a claimed job was cancelled since; it is if its subject was deleted."""
    with sessions.begin() as session:
        session.execute(
            update(Job)
            .where(Job.id == job.id, Job.attempt == job.attempt, Job.state == JobState.RUNNING)
            .where(fence.claimant_of(sessions).fits(), text(f"not {IS_WANTED}"))
            .values(_CANCELLED)
        )
        return session.scalar(select(Job.state).where(Job.id == job.id)) is JobState.CANCELLED


def give_back(
    sessions: sessionmaker[Session], job: Job, settings: Settings, error: str, *, is_due: bool = False
) -> JobState | None:
    """Retry a failed attempt later, or mark the job failed; None when the lease was lost.

    One that `is_due` is retried at once.
    """
    with sessions.begin() as session:
        locked_job = session.scalar(
            select(Job)
            .where(Job.id == job.id, Job.attempt == job.attempt, Job.state == JobState.RUNNING)
            .where(fence.claimant_of(sessions).fits())
            .with_for_update()
        )
        if locked_job is None:
            return None
        settle_failure(session, locked_job, settings, error, is_due=is_due)
        return locked_job.state


def settle_failure(
    session: Session, job: Job, settings: Settings, error: str, *, is_due: bool = False
) -> None:
    """Requeue a locked, running job with back-off, or mark it failed and call its failure handler.

    One that `is_due` is requeued without back-off. One whose subject was deleted is cancelled.
    """
    if not session.scalar(select(text(IS_WANTED)).select_from(Job).where(Job.id == job.id)):
        session.execute(update(Job).where(Job.id == job.id).values(_CANCELLED))
        return
    job.last_error = error[:MAX_ERROR_CHARS]
    job.lease_until = None
    job.sent_at = None
    job.generation = None
    if job.attempt < settings.max_attempts:
        job.state = JobState.QUEUED
        pause = 0.0 if is_due else FIRST_RETRY_SECONDS * 2 ** (job.attempt - 1)
        job.run_after = func.now() + _seconds(pause)
        session.flush()
        return
    job.state = JobState.FAILED
    job.finished_at = func.now()
    session.flush()
    logger.error(
        "job %s (%s) failed, reported as %s: %s",
        job.id,
        job.kind,
        error_number(job.last_error),
        job.last_error,
    )
    events.record(
        session, "job.failed", payload={"job_id": str(job.id), "kind": job.kind, "error": job.last_error}
    )
    on_failure = queue.failure_handler_of(job.kind)
    if on_failure is not None:
        on_failure(session, job, job.last_error)


def _seconds(count: float) -> Any:
    return text("make_interval(secs => :seconds)").bindparams(seconds=count)
