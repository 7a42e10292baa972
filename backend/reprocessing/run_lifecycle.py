"""Lifecycle of a run over many cases: in progress, then done, failed or cancelled; one of a kind at a time.

LIFECYCLE = RunLifecycle(Hunt, "hunt", "hunt_id", key="hunt")
LIFECYCLE.finish(session, hunt_id)  ->  state done, event `hunt.done`
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from sqlalchemy import select

from backend.core import events
from backend.core.errors import ConflictError
from backend.core.jobs import interventions
from backend.core.jobs.job import Job, JobState
from backend.models import Hunt, ReprocessRun, RunState

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

AnyRun = TypeVar("AnyRun", Hunt, ReprocessRun)


@dataclass(frozen=True)
class RunLifecycle(Generic[AnyRun]):
    """The changes of state of one kind of run, each with its event.

    Attributes:
        model: The table of the runs.
        kind: Prefix of the events, such as `hunt`.
        id_name: Key of the run's id in an event.
        key: Prefix of the key of its jobs.
        noun: The run in an error, such as `hunt`.
    """

    model: type[AnyRun]
    kind: str
    id_name: str
    key: str
    noun: str

    def locked(self, session: Session, run_id: UUID) -> AnyRun | None:
        """Return a run that is in progress, locked until the transaction ends; None for any other."""
        query = select(self.model).where(self.model.id == run_id, self.model.state == RunState.RUNNING)
        return session.scalar(query.with_for_update().execution_options(populate_existing=True))

    def finish(self, session: Session, run_id: UUID) -> None:
        """End a run that has nothing left to do."""
        run = self.locked(session, run_id)
        if run is not None:
            run.state, run.finished_at = RunState.DONE, datetime.now(UTC)
            # Cases that were deleted meanwhile, or that live work judged, are done as well.
            run.total = run.done
            self.record_event(session, run_id, "done")

    def fail(self, session: Session, run_id: UUID, reason: str) -> None:
        """End a run because of a bug of ours."""
        run = self.locked(session, run_id)
        if run is not None:
            run.state, run.finished_at, run.reason = RunState.FAILED, datetime.now(UTC), reason
            self.record_event(session, run_id, "failed")

    def cancel(self, session: Session, run: AnyRun, *, by: str) -> AnyRun:
        """Cancel a run; what is being judged keeps its verdicts.

        Raises:
            ConflictError: It has ended.
        """
        found = self.locked(session, run.id)
        if found is None:
            raise ConflictError(f"this {self.noun} is {run.state.value}")
        self.settle_cancelled(session, found, by=by)
        open_jobs = select(Job).where(
            Job.key == self.key_of(run.id), Job.state.in_([JobState.QUEUED, JobState.RUNNING])
        )
        # A job about to end is locked: it waits for the run that is locked here, and finds it cancelled.
        for job in session.scalars(open_jobs.with_for_update(skip_locked=True)):
            interventions.cancel(session, job, by=by)
        session.flush()
        return found

    def settle_cancelled(self, session: Session, run: AnyRun, *, by: str) -> None:
        """Mark a locked run as cancelled."""
        run.state, run.finished_at, run.reason = RunState.CANCELLED, datetime.now(UTC), f"cancelled by {by}"
        self.record_event(session, run.id, "cancelled", by)
        session.flush()

    def key_of(self, run_id: UUID) -> str:
        """Return the key of the jobs of a run."""
        return f"{self.key}:{run_id}"

    def record_event(self, session: Session, run_id: UUID, what: str, actor: str = events.SYSTEM) -> None:
        """Record that a run was begun, done, failed or cancelled."""
        events.record(session, f"{self.kind}.{what}", actor=actor, payload={self.id_name: str(run_id)})
