"""Runs: begun, moved on by one case or draft at a time, cancelled, ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy.dialects.postgresql import insert

from backend.core.domain_events import publish
from backend.core.errors import ConflictError
from backend.models import Change, ReprocessedCase, ReprocessRun, RunState
from backend.reprocessing import selection
from backend.reprocessing.domain_events import ReprocessStepDue
from backend.reprocessing.run_lifecycle import RunLifecycle

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.reprocessing.cases import Outcome
    from backend.reprocessing.selection import Selection


class _Lifecycle(RunLifecycle[ReprocessRun]):
    def settle_cancelled(self, session: Session, run: ReprocessRun, *, by: str) -> None:
        """Mark a locked run as cancelled; no case of it is being done any more."""
        run.current = None
        super().settle_cancelled(session, run, by=by)


LIFECYCLE = _Lifecycle(ReprocessRun, kind="reprocessing", id_name="run_id", key="reprocess", noun="run")


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
    LIFECYCLE.record_event(session, added, "begun", author)
    publish(session, ReprocessStepDue(added))
    return session.get_one(ReprocessRun, added)


def note_current(session: Session, run_id: UUID, case_id: UUID | None) -> None:
    """Store which case is being done, before it may kill its worker."""
    run = LIFECYCLE.locked(session, run_id)
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
    run = LIFECYCLE.locked(session, run_id)
    if run is None:
        return
    if outcome is not None or error:
        run.changes = run.changes | {change.value: run.changes.get(change.value, 0) + 1}
    run.done += 1
    run.position, run.current = case_id, None
    publish(session, ReprocessStepDue(run_id))


def advance_draft(session: Session, run_id: UUID) -> None:
    """Count a draft, and queue the next step."""
    run = LIFECYCLE.locked(session, run_id)
    if run is not None:
        run.done += 1
        publish(session, ReprocessStepDue(run_id))


_EMPTY = {"files_read": 0, "before": "", "after": "", "verdicts": [], "reason": ""}
