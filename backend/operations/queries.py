"""Queries of the job table for display."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Uuid, column, exists, func, select, table, text
from sqlalchemy.orm import aliased

from backend.core.jobs.job import IS_WANTED, Job, JobState
from backend.models import Case, Evidence

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from uuid import UUID

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page


@dataclass(frozen=True, slots=True)
class OpenJobs:
    """Waiting and running jobs of one queue.

    Attributes:
        senders: Number of senders with waiting jobs.
        oldest_seconds: Time since the oldest waiting job became due.
        demoted: Number of jobs that were too slow for the light queue.
    """

    name: str
    queued: int
    running: int
    senders: int
    oldest_seconds: float
    demoted: int


def open_jobs_by_queue(session: Session) -> list[OpenJobs]:
    """Return the waiting and running jobs of every queue with open jobs, by name."""
    is_queued = Job.state == JobState.QUEUED
    age = func.extract("epoch", func.now() - func.min(Job.run_after).filter(is_queued))
    rows = session.execute(
        select(
            Job.queue,
            func.count().filter(is_queued),
            func.count().filter(Job.state == JobState.RUNNING),
            func.count(Job.sender.distinct()).filter(is_queued),
            func.greatest(func.coalesce(age, 0), 0),
            func.count().filter(Job.payload["is_slow"].as_boolean()),
        )
        .where(Job.state.in_([JobState.QUEUED, JobState.RUNNING]))
        .group_by(Job.queue)
        .order_by(Job.queue)
    )
    return [
        OpenJobs(name, queued, running, senders, float(age), demoted)
        for name, queued, running, senders, age, demoted in rows
    ]


_SUBJECTS = table("job_subject", column("id", Uuid), column("case_id", Uuid))


def of_case(case_id: UUID) -> ColumnElement[bool]:
    """Return the SQL condition that a job is about the case, or about a part of it."""
    return Job.subject_id.in_(select(_SUBJECTS.c.id).where(_SUBJECTS.c.case_id == case_id))


def jobs_of_case(session: Session, case_id: UUID, page: Page) -> Sequence[Job]:
    """Return a page of the jobs of a case and of its parts, newest first."""
    query = select(Job).where(of_case(case_id))
    return [job for (job,) in page.of(session, query, Job.created_at, Job.id, is_descending=True)]


_Later = aliased(Job)
_FAILED = (
    (Job.state == JobState.FAILED)
    & text(IS_WANTED)
    & ~exists().where(_Later.subject_id == Job.subject_id, _Later.kind == Job.kind, _Later.id > Job.id)
)
"""Failed, of a subject that still exists, and not queued again since."""


def failed_jobs(session: Session, page: Page) -> Sequence[Job]:
    """Return a page of the failed jobs, newest first."""
    found = page.of(session, select(Job).where(_FAILED), Job.finished_at, Job.id, is_descending=True)
    return [job for (job,) in found]


def count_failed(session: Session) -> int:
    """Return the number of failed jobs."""
    return session.scalar(select(func.count()).select_from(Job).where(_FAILED)) or 0


def locked_failed_jobs(session: Session, ids: Collection[UUID] | None, *, limit: int) -> Sequence[Job]:
    """Lock and return failed jobs, oldest first: those of `ids`, or all with None; others skip them."""
    query = select(Job).where(_FAILED).order_by(Job.finished_at, Job.id).limit(limit)
    if ids is not None:
        query = query.where(Job.id.in_(ids))
    return session.scalars(query.with_for_update(skip_locked=True)).all()


def subjects_of(session: Session, ids: Collection[UUID]) -> dict[UUID, tuple[int, UUID | None]]:
    """Return the number of the case of each subject, and its id if it is evidence."""
    query = (
        select(_SUBJECTS.c.id, Case.number, Evidence.id)
        .join(Case, Case.id == _SUBJECTS.c.case_id)
        .outerjoin(Evidence, Evidence.id == _SUBJECTS.c.id)
        .where(_SUBJECTS.c.id.in_(ids))
    )
    return {subject_id: (number, evidence_id) for subject_id, number, evidence_id in session.execute(query)}
