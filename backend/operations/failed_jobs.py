"""Failed jobs, for admins: list them, run them again, dismiss them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.jobs import interventions
from backend.core.jobs.job import Job, error_number
from backend.operations import queries
from backend.operations.schemas import FailedJobRead, FailedJobsChanged

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

MAX_JOBS = 1000
"""Jobs changed by one request."""


def describe(session: Session, jobs: Sequence[Job]) -> list[FailedJobRead]:
    """Return failed jobs as admins see them: an error may quote evidence, so it is a number and a class."""
    subjects = queries.subjects_of(session, [job.subject_id for job in jobs if job.subject_id is not None])
    return [
        FailedJobRead(
            id=job.id,
            kind=job.kind,
            queue=job.queue,
            attempt=job.attempt,
            created_at=job.created_at,
            failed_at=job.finished_at,
            case_number=subjects.get(job.subject_id, (None, None))[0] if job.subject_id else None,
            evidence_id=subjects.get(job.subject_id, (None, None))[1] if job.subject_id else None,
            error_number=error_number(job.last_error),
            failure=failure_of(job.last_error),
        )
        for job in jobs
    ]


def failure_of(error: str) -> str:
    """Return the class of an error, `MemoryError`; "" for an error without one: its worker was lost."""
    name, colon, _ = error.partition(": ")
    return name if colon and name.isidentifier() else ""


def run_again(session: Session, ids: Collection[UUID] | None) -> FailedJobsChanged:
    """Queue failed jobs again: those of `ids`, or all with None."""
    return _change(session, ids, interventions.retry)


def dismiss(session: Session, ids: Collection[UUID] | None) -> FailedJobsChanged:
    """Take failed jobs off the list: those of `ids`, or all with None."""
    return _change(session, ids, interventions.dismiss)


def _change(
    session: Session, ids: Collection[UUID] | None, change: Callable[[Session, Job], object]
) -> FailedJobsChanged:
    jobs = queries.locked_failed_jobs(session, ids, limit=MAX_JOBS)
    for job in jobs:
        change(session, job)
    return FailedJobsChanged(changed=len(jobs), left=queries.count_failed(session))
