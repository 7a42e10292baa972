"""Runs: begun, moved on by one case or draft at a time, cancelled, ended."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from backend.core import events
from backend.core.domain_events import publish
from backend.core.errors import ConflictError
from backend.core.jobs import interventions
from backend.core.jobs.job import Job, JobState
from backend.models import Change, ReprocessedCase, ReprocessRun, RunState
from backend.reprocessing import selection
from backend.reprocessing.domain_events import ReprocessStepDue

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.reprocessing.cases import Outcome
    from backend.reprocessing.selection import Selection


def begin(session: Session, chosen: Selection, *, author: str) -> ReprocessRun:
    """Begin a run and queue its first step.

    Raises:
        ConflictError: Another one is running.
    """
    total = selection.count_cases(session, chosen) + selection.count_drafts(session, chosen)
    values = {"author": author, "selection": chosen.document(), "total": total}
    row = insert(ReprocessRun).values(state=RunState.RUNNING, done=0, changes={}, reason="", **values)
    added = session.scalar(row.on_conflict_do_nothing().returning(ReprocessRun.id))
    if added is None:
        raise ConflictError("a run is in progress; cancel it, or wait for its end")
    _record_event(session, added, "begun", author)
    publish(session, ReprocessStepDue(added))
    return session.get_one(ReprocessRun, added)


def locked(session: Session, run_id: UUID) -> ReprocessRun | None:
    """Return a run that is in progress, locked until the transaction ends; None for any other."""
    query = select(ReprocessRun).where(ReprocessRun.id == run_id, ReprocessRun.state == RunState.RUNNING)
    return session.scalar(query.with_for_update().execution_options(populate_existing=True))


def note_current(session: Session, run_id: UUID, case_id: UUID | None) -> None:
    """Store which case is being done, before it may kill its worker."""
    run = locked(session, run_id)
    if run is not None:
        run.current = case_id


def advance(
    session: Session, run_id: UUID, case_id: UUID, outcome: Outcome | None, *, error: str = ""
) -> None:
    """Store what became of a case, and queue the next step in the same transaction.

    Args:
        session: The transaction that stores the case.
        run_id: The run; one that was cancelled meanwhile is left as it is.
        case_id: The case.
        outcome: What changed; None when it was deleted, or when it failed.
        error: Why it failed, one sentence.
    """
    if outcome is not None or error:
        change = outcome.change if outcome else Change.FAILED
        values: dict[str, Any] = {"change": change, "reason": error}
        if outcome is not None:
            values |= {"files_read": outcome.files_read, "before": outcome.before, "after": outcome.after}
            values |= {"verdicts": outcome.verdicts, "reason": outcome.reason}
        row = insert(ReprocessedCase).values(run_id=run_id, case_id=case_id, **(_EMPTY | values))
        session.execute(row.on_conflict_do_nothing())
    run = locked(session, run_id)
    if run is None:
        return
    if outcome is not None or error:
        run.changes = run.changes | {change.value: run.changes.get(change.value, 0) + 1}
    run.done += 1
    run.position, run.current = case_id, None
    publish(session, ReprocessStepDue(run_id))


def advance_draft(session: Session, run_id: UUID) -> None:
    """Count a draft, and queue the next step."""
    run = locked(session, run_id)
    if run is not None:
        run.done += 1
        publish(session, ReprocessStepDue(run_id))


def finish(session: Session, run_id: UUID) -> None:
    """End a run that has nothing left to do."""
    run = locked(session, run_id)
    if run is not None:
        run.state, run.finished_at = RunState.DONE, datetime.now(UTC)
        # Cases that were deleted meanwhile, or that live work judged, are done as well.
        run.total = run.done
        _record_event(session, run_id, "done")


def fail(session: Session, run_id: UUID, reason: str) -> None:
    """End a run because of a bug of ours."""
    run = locked(session, run_id)
    if run is not None:
        run.state, run.finished_at, run.reason = RunState.FAILED, datetime.now(UTC), reason
        _record_event(session, run_id, "failed")


def cancel(session: Session, run: ReprocessRun, *, by: str) -> ReprocessRun:
    """Cancel a run; a case that is being done stops within about a second, and keeps its verdicts.

    Raises:
        ConflictError: It has ended.
    """
    found = locked(session, run.id)
    if found is None:
        raise ConflictError(f"this run is {run.state.value}")
    settle_cancelled(session, found, by=by)
    open_jobs = select(Job).where(
        Job.key == key_of(run.id), Job.state.in_([JobState.QUEUED, JobState.RUNNING])
    )
    # One that is about to end is locked: it waits for the run that is locked here, and finds it cancelled.
    for job in session.scalars(open_jobs.with_for_update(skip_locked=True)):
        interventions.cancel(session, job, by=by)
    session.flush()
    return found


def settle_cancelled(session: Session, run: ReprocessRun, *, by: str) -> None:
    """Mark a locked run as cancelled."""
    run.state, run.finished_at, run.reason = RunState.CANCELLED, datetime.now(UTC), f"cancelled by {by}"
    run.current = None
    _record_event(session, run.id, "cancelled", by)
    session.flush()


def key_of(run_id: UUID) -> str:
    """Return the key of the jobs of a run."""
    return f"reprocess:{run_id}"


_EMPTY = {"files_read": 0, "before": "", "after": "", "verdicts": [], "reason": ""}


def _record_event(session: Session, run_id: UUID, what: str, actor: str = events.SYSTEM) -> None:
    events.record(session, f"reprocessing.{what}", actor=actor, payload={"run_id": str(run_id)})
