"""The jobs of evidence: read one, make one of a whole upload, show the first part of one that still comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.jobs.queue import handler, on_failure
from backend.evidence import previewing, reading, uploaded
from backend.evidence.receiving import READ_JOB
from backend.uploads.writer import FORGET_JOB, KEEP_JOB, PREVIEW_JOB

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.job import Job
    from backend.core.jobs.run import Run


@handler(READ_JOB)
def read_evidence(run: Run) -> None:
    """Read the evidence that the job is about."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    reading.read(run, run.subject_id)


@on_failure(READ_JOB)
def set_aside(session: Session, job: Job, error: str) -> None:
    """Say at the evidence that it could not be read."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    reading.fail(session, job.subject_id, error)


@handler(KEEP_JOB)
def keep_upload(run: Run) -> None:
    """Make evidence of the upload that the job is about."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    uploaded.keep(run, run.subject_id)


@on_failure(KEEP_JOB)
def set_upload_aside(session: Session, job: Job, error: str) -> None:
    """Say at the upload that it could not be kept."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    uploaded.fail(session, job.subject_id, error)


@handler(PREVIEW_JOB)
def preview_upload(run: Run) -> None:
    """Read the first part of the upload that the job is about."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    previewing.preview(run, run.subject_id)


@handler(FORGET_JOB)
def forget_preview(run: Run) -> None:
    """Take away the evidence of an upload that was given up."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    with run.result() as session:
        previewing.forget(session, run.subject_id)
