"""Job `hunts.step`: the next batch of a hunt. Each queues the next one as it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from backend.core.domain_events import subscribes
from backend.core.jobs.interventions import on_cancel
from backend.core.jobs.queue import enqueue, handler, on_failure
from backend.hunts import runs, steps
from backend.hunts.domain_events import HuntStepDue

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.job import Job
    from backend.core.jobs.run import Run

STEP_JOB = "hunts.step"


@subscribes(HuntStepDue)
def queue_step(session: Session, event: HuntStepDue) -> None:
    """Queue the next step, in the heavy queue: uploads of people are light, or charged to them."""
    enqueue(
        session,
        STEP_JOB,
        key=runs.LIFECYCLE.key_of(event.hunt_id),
        queue="heavy",
        sender=steps.SENDER,
        delay_seconds=event.delay_seconds,
        hunt_id=str(event.hunt_id),
    )


@handler(STEP_JOB)
def do_step(run: Run) -> None:
    """Do the next batch of the hunt named by the job."""
    steps.step(run, UUID(run.payload["hunt_id"]))


@on_failure(STEP_JOB)
def go_on(session: Session, job: Job, error: str) -> None:
    """End the hunt, or go on later."""
    steps.give_up(session, UUID(job.payload["hunt_id"]), error)


@on_cancel(STEP_JOB)
def cancel_hunt(session: Session, job: Job, by: str) -> None:
    """Cancel the hunt, if it is in progress."""
    hunt = runs.LIFECYCLE.locked(session, UUID(job.payload["hunt_id"]))
    if hunt is not None:
        runs.LIFECYCLE.settle_cancelled(session, hunt, by=by)
