"""Cancelling the open jobs of a case by what they do: reading, judging, preparing a handoff."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.cases.queries import hold
from backend.core.jobs import interventions
from backend.core.jobs.job import Job, JobState
from backend.operations.queries import of_case

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.models.case import Case
    from backend.operations.schemas import Work

KINDS: dict[Work, tuple[str, ...]] = {
    "reading": ("evidence.read", "evidence.batch"),
    "judging": ("findings.judge",),
    "preparing": ("handoffs.prepare",),
}
"""Kinds of jobs by what people see of them."""
TRIES = 3
PAUSE_SECONDS = 0.1


def cancel(session: Session, case: Case, work: Work, subject_id: UUID | None, *, by: str) -> int:
    """Cancel the open jobs of the case that do `work`, or those of one subject; return how many.

    A job that a worker is about to begin or to end is locked, and waits for the case that is locked here: it
    is tried again, and ends by itself otherwise.
    """
    hold(session, case.id)
    query = select(Job).where(
        Job.kind.in_(KINDS[work]),
        Job.state.in_([JobState.QUEUED, JobState.RUNNING]),
        of_case(case.id) if subject_id is None else of_case(case.id) & (Job.subject_id == subject_id),
    )
    cancelled = 0
    for attempt in range(TRIES):
        if attempt:
            time.sleep(PAUSE_SECONDS)
        free = query.order_by(Job.id).with_for_update(skip_locked=True)
        for job in session.scalars(free.execution_options(populate_existing=True)).all():
            interventions.cancel(session, job, by=by)
            cancelled += 1
        if session.scalar(query.with_only_columns(Job.id).limit(1)) is None:
            break
    return cancelled
