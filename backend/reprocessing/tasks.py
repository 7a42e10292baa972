"""Job `reprocessing.step`: the next case of a run. Each queues the next one as it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from backend.core.domain_events import subscribes
from backend.core.jobs.interventions import on_cancel
from backend.core.jobs.queue import enqueue, handler, on_failure
from backend.reprocessing import runs, steps
from backend.reprocessing.domain_events import ReprocessStepDue

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.job import Job
    from backend.core.jobs.run import Run

STEP_JOB = "reprocessing.step"


@subscribes(ReprocessStepDue)
def queue_step(session: Session, event: ReprocessStepDue) -> None:
    """Queue the next step of the run, in the heavy queue: uploads of people are light, or charged to them."""
    # No subject: a run is not about one case.
    enqueue(
        session,
        STEP_JOB,
        key=runs.LIFECYCLE.key_of(event.run_id),
        queue="heavy",
        sender=steps.SENDER,
        delay_seconds=event.delay_seconds,
        run_id=str(event.run_id),
    )


@handler(STEP_JOB)
def do_step(run: Run) -> None:
    """Do the next case of the run named by the job."""
    steps.step(run, UUID(run.payload["run_id"]))


@on_failure(STEP_JOB)
def go_on(session: Session, job: Job, error: str) -> None:
    """Go on with the next case."""
    steps.give_up(session, UUID(job.payload["run_id"]), error)


@on_cancel(STEP_JOB)
def cancel_run(session: Session, job: Job, by: str) -> None:
    """Cancel the run, if it is in progress."""
    run = runs.LIFECYCLE.locked(session, UUID(job.payload["run_id"]))
    if run is not None:
        runs.LIFECYCLE.settle_cancelled(session, run, by=by)
