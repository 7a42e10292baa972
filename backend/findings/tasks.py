"""Jobs of findings: judge a case, read its next batch of small files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.cases.queries import hold
from backend.core.domain_events import subscribes
from backend.core.jobs.queue import enqueue, handler, on_failure
from backend.evidence.domain_events import CaseEvidenceChanged
from backend.findings import alarms, judging, small_file_batches
from backend.findings.domain_events import FindingsOutdated
from backend.uploads.domain_events import SmallFilesWaiting

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.job import Job
    from backend.core.jobs.run import Run

JUDGE_JOB = "findings.judge"
BATCH_JOB = "evidence.batch"
ALARMS_JOB = "findings.alarms"
"""Queued by the migration that added them."""


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
        inputs = judging.load_inputs(session, case_id)
    if inputs is None:
        return
    judgement = judging.decide(run.store, *inputs)
    run.check()
    with run.result(first=lambda session: hold(session, case_id)) as session:
        judging.keep(session, case_id, judgement)


@on_failure(JUDGE_JOB)
def end_judgement(session: Session, job: Job, error: str) -> None:
    """Show on the case that its analysis failed, so that nobody waits for it."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    judging.give_up(session, job.subject_id, error)


@handler(ALARMS_JOB)
def fill_alarms(run: Run) -> None:
    """Store headline and alarms of a case that was judged before they were stored."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    with run.result() as session:
        alarms.fill(session, run.store, run.subject_id)


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


@on_failure(BATCH_JOB)
def split_batch(session: Session, job: Job, error: str) -> None:  # noqa: ARG001 - the files' jobs report theirs
    """Split the waiting batch into one job per file."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    small_file_batches.split(session, job.subject_id)
