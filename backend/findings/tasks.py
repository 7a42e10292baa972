"""Jobs of findings: judge a case, take in its next batch of small files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.cases.queries import hold
from backend.core.jobs.queue import handler, on_failure
from backend.evidence.service import JUDGE_JOB
from backend.findings import intake, judging
from backend.uploads.writer import BATCH_JOB

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.job import Job
    from backend.core.jobs.run import Run


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


@handler(BATCH_JOB)
def take_in_batch(run: Run) -> None:
    """Take in the next batch of small files of the case."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    intake.take_in(run, run.subject_id)


@on_failure(BATCH_JOB)
def split_batch(session: Session, job: Job, error: str) -> None:  # noqa: ARG001 - the jobs that follow tell theirs
    """Split the waiting batch into one job per file."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    intake.split(session, job.subject_id)
