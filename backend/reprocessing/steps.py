"""One step of a run: its next case or draft, unless others wait for a worker."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.cases.queries import hold
from backend.core.domain_events import publish
from backend.core.errors import StoredBytesError
from backend.core.jobs.job import Job, JobState, error_number
from backend.models import ReprocessRun, RunState
from backend.reprocessing import cases, drafts, runs, selection
from backend.reprocessing.domain_events import ReprocessStepDue
from backend.reprocessing.selection import Selection
from backend.sandbox.runner import LimitHitError, SandboxCrashError, TooSlowError

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run

logger = logging.getLogger(__name__)

SENDER = "reprocessing"
"""Who is charged for the steps, and for what they queue."""
PAUSE_SECONDS = 1.0
"""Pause of a run while others work."""
LOST_SECONDS = 30.0
"""Pause after a step lost its worker in all its attempts, before it had a case."""


def step(run: Run, run_id: UUID) -> None:
    """Do the next case or draft of a run, or pause, or end the run."""
    with run.session() as session:
        stored = session.get(ReprocessRun, run_id)
        if stored is None or stored.state is not RunState.RUNNING:
            return
        is_busy = others_work(session)
        chosen = Selection.of(stored.selection)
        case_id = None if is_busy else selection.next_case(session, chosen, stored.position)
        runs.note_current(session, run_id, case_id)
    if is_busy:
        with run.result() as session:
            publish(session, ReprocessStepDue(run_id, PAUSE_SECONDS))
    elif case_id is not None:
        _do_case(run, run_id, case_id)
    elif not drafts.renew_next(run, run_id, chosen):
        with run.result() as session:
            runs.LIFECYCLE.finish(session, run_id)


def others_work(session: Session, sender: str = SENDER) -> bool:
    """Return whether work of anybody but `sender` is due or running."""
    is_due = (Job.state == JobState.QUEUED) & (Job.run_after <= func.now())
    others = select(Job.id).where(Job.sender != sender, is_due | (Job.state == JobState.RUNNING))
    return session.scalar(others.limit(1)) is not None


def _do_case(run: Run, run_id: UUID, case_id: UUID) -> None:
    try:
        with (
            cases.renewed(run, case_id) as renewal,
            run.result(first=lambda session: hold(session, case_id)) as session,
        ):
            outcome = cases.keep(session, renewal) if renewal is not None else None
            runs.advance(session, run_id, case_id, outcome)
    except cases.CaseChangedError:
        # Nothing was stored and the position is as before: the next step takes the same case.
        with run.result() as session:
            publish(session, ReprocessStepDue(run_id, PAUSE_SECONDS))
    except (LimitHitError, StoredBytesError, TooSlowError) as error:
        _fail_case(run, run_id, case_id, str(error))
    except SandboxCrashError as error:
        number = error_number(str(error))
        logger.exception("case %s is not judged again, reported as %s", case_id, number)
        _fail_case(run, run_id, case_id, f"the analysis failed, reported as {number}")


def _fail_case(run: Run, run_id: UUID, case_id: UUID, reason: str) -> None:
    with run.result() as session:
        runs.advance(session, run_id, case_id, None, error=reason)


def give_up(session: Session, run_id: UUID, error: str) -> None:
    """Go on after the case that made a step fail in all its attempts.

    Without a case the run fails by a bug, and goes on later when its workers were lost.
    """
    stored = runs.LIFECYCLE.locked(session, run_id)
    reason = f"failed, reported as {error_number(error)}"
    if stored is None:
        return
    if stored.current is not None:
        runs.advance(session, run_id, stored.current, None, error=reason)
    elif error.partition(": ")[0].isidentifier():
        runs.LIFECYCLE.fail(session, run_id, reason)
    else:
        publish(session, ReprocessStepDue(run_id, LOST_SECONDS))
