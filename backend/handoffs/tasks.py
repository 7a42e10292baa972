"""Job `handoffs.prepare`: redact and judge one handoff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.jobs.queue import Job, handler, on_failure
from backend.handoffs.preparation import pipeline, store
from backend.handoffs.service import PREPARE_JOB

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run


@handler(PREPARE_JOB)
def prepare_handoff(run: Run) -> None:
    """Prepare the handoff named by the job."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    pipeline.prepare(run, run.subject_id)


@on_failure(PREPARE_JOB)
def set_handoff_aside(session: Session, job: Job, error: str) -> None:  # noqa: ARG001 - the queue's signature
    """Mark the handoff as failed."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    store.fail(session, job.subject_id)
