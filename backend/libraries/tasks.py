"""Job `libraries.read`: a version of a library is fetched, unpacked and linted."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from backend.core.domain_events import subscribes
from backend.core.jobs.interventions import on_cancel
from backend.core.jobs.job import error_number
from backend.core.jobs.queue import enqueue, handler, on_failure
from backend.libraries import reading
from backend.libraries.domain_events import LibraryVersionRequested

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.job import Job
    from backend.core.jobs.run import Run

READ_JOB = "libraries.read"


@subscribes(LibraryVersionRequested)
def queue_reading(session: Session, event: LibraryVersionRequested) -> None:
    """Queue the reading, in the heavy queue: a server may answer slowly."""
    enqueue(
        session,
        READ_JOB,
        key=f"library:{event.version_id}",
        queue="heavy",
        version_id=str(event.version_id),
    )


@handler(READ_JOB)
def read_version(run: Run) -> None:
    """Read the version named by the job."""
    reading.read(run, UUID(run.payload["version_id"]))


@on_failure(READ_JOB)
def end_reading(session: Session, job: Job, error: str) -> None:
    """Show that the version could not be read."""
    problem = f"{reading.WHAT} failed, reported as {error_number(error)}"
    reading.fail(session, UUID(job.payload["version_id"]), problem)


@on_cancel(READ_JOB)
def cancel_reading(session: Session, job: Job, by: str) -> None:
    """Show that the reading was cancelled."""
    reading.fail(session, UUID(job.payload["version_id"]), f"cancelled by {by}")
