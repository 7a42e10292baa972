"""Jobs of findings: judge a case, read its next batch of small files."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from backend.cases.queries import hold
from backend.core.domain_events import subscribes
from backend.core.jobs.interventions import on_cancel
from backend.core.jobs.queue import enqueue, handler, on_failure
from backend.evidence.domain_events import CaseEvidenceChanged
from backend.findings import judging, screens, small_file_batches
from backend.findings.case_analysis import analyse, load_inputs
from backend.findings.domain_events import FindingsOutdated
from backend.sandbox.envelope import limits_of_job
from backend.sandbox.runner import LimitHitError, TooSlowError
from backend.uploads.domain_events import SmallFilesWaiting

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.job import Job
    from backend.core.jobs.run import Run

logger = logging.getLogger(__name__)

JUDGE_JOB = "findings.judge"
BATCH_JOB = "evidence.batch"
HEAVY = "heavy"
SCREEN_JOB = "findings.screen"
"""Queued by the migration that added screens."""


@subscribes(CaseEvidenceChanged)
def judge_changed_case(session: Session, event: CaseEvidenceChanged) -> None:
    """Queue the judgement of the case."""
    enqueue(session, JUDGE_JOB, key=f"judge:{event.case_id}", subject_id=event.case_id)


@subscribes(FindingsOutdated)
def judge_again(session: Session, event: FindingsOutdated) -> None:
    """Queue the judgement of the case, perhaps delayed."""
    key, delay_seconds = f"judge:{event.case_id}", event.delay_seconds
    enqueue(session, JUDGE_JOB, key=key, subject_id=event.case_id, delay_seconds=delay_seconds)


@handler(JUDGE_JOB)
def judge_case(run: Run) -> None:
    """Judge the case named by the job."""
    case_id = run.subject_id
    assert case_id is not None  # noqa: S101 - the job is enqueued with it
    with run.session() as session:
        inputs = load_inputs(session, case_id)
    if inputs is None:
        return
    try:
        analysis = analyse(
            run.settings, run.store, inputs, limits_of_job(run.settings, run.queue), check=run.check
        )
    except (LimitHitError, TooSlowError) as error:
        with run.result(first=lambda session: hold(session, case_id)) as session:
            if run.queue == HEAVY:
                judging.give_up(session, case_id, str(error))
            else:
                logger.info("the analysis of case %s goes on in the heavy queue: %s", case_id, error)
                enqueue(session, JUDGE_JOB, key=f"judge:{case_id}", queue=HEAVY, subject_id=case_id)
        return
    run.check()
    with run.result(first=lambda session: hold(session, case_id)) as session:
        judging.keep(session, case_id, analysis)


@on_failure(JUDGE_JOB)
def end_judgement(session: Session, job: Job, error: str) -> None:
    """Show on the case that its analysis failed, so that nobody waits for it."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    judging.give_up(session, job.subject_id, error)


@on_cancel(JUDGE_JOB)
def cancel_judgement(session: Session, job: Job, by: str) -> None:
    """Show on the case that its analysis was cancelled."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    judging.settle(session, job.subject_id, f"was cancelled by {by}")


@handler(SCREEN_JOB)
def compute_screen(run: Run) -> None:
    """Compute the screen of a case that was judged before screens were kept."""
    case_id = run.subject_id
    assert case_id is not None  # noqa: S101 - the job is enqueued with it
    with run.session() as session:
        inputs = load_inputs(session, case_id)
        revision, judgement = screens.judgement_of(session, case_id)
    if inputs is None:
        return
    try:
        limits = limits_of_job(run.settings, run.queue)
        analysis = analyse(run.settings, run.store, inputs, limits, given=judgement, check=run.check)
    except TooSlowError:
        with run.result() as session:
            enqueue(session, SCREEN_JOB, key=f"screen:{case_id}", queue=HEAVY, subject_id=case_id)
        return
    with run.result(first=lambda session: hold(session, case_id)) as session:
        case = hold(session, case_id)
        if case is not None and case.judged_rev == revision:
            screens.keep(session, case, analysis)


@subscribes(SmallFilesWaiting)
def queue_batch(session: Session, event: SmallFilesWaiting) -> None:
    """Queue the next batch of the case."""
    enqueue(
        session,
        BATCH_JOB,
        key=f"batch:{event.case_id}",
        subject_id=event.case_id,
        sender=event.sender,
        delay_seconds=event.delay_seconds,
    )


@handler(BATCH_JOB)
def read_small_files(run: Run) -> None:
    """Read the next batch of small files of the case."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    small_file_batches.read_batch(run, run.subject_id)


@on_cancel(BATCH_JOB)
def cancel_batch(session: Session, job: Job, by: str) -> None:
    """Mark the files of the batch as cancelled."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    small_file_batches.cancel(session, job.subject_id, by=by)


@on_failure(BATCH_JOB)
def split_batch(session: Session, job: Job, error: str) -> None:  # noqa: ARG001 - the files' jobs report theirs
    """Split the waiting batch into one job per file."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    small_file_batches.split(session, job.subject_id)
