"""The job table as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, or_, select

from backend.core.job import Job, JobState
from backend.models.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.paging import Page


def open_jobs_by_queue(session: Session) -> list[tuple[str, int, int]]:
    """Return (queue, queued, running) of every queue that has open jobs, by name."""
    rows = session.execute(
        select(
            Job.queue,
            func.count().filter(Job.state == JobState.QUEUED),
            func.count().filter(Job.state == JobState.RUNNING),
        )
        .where(Job.state.in_([JobState.QUEUED, JobState.RUNNING]))
        .group_by(Job.queue)
        .order_by(Job.queue)
    )
    return [(queue, queued, running) for queue, queued, running in rows]


def jobs_of_case(session: Session, case_id: UUID, page: Page) -> Sequence[Job]:
    """Return a page of the jobs about a case or its evidence, newest first."""
    of_case = select(Evidence.id).where(Evidence.case_id == case_id)
    query = select(Job).where(or_(Job.subject_id == case_id, Job.subject_id.in_(of_case)))
    return [job for (job,) in page.of(session, query, Job.created_at, Job.id, is_descending=True)]
