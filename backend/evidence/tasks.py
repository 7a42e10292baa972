"""Jobs of evidence: read it, store a complete upload, preview an incomplete one."""

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
    """Read the evidence named by the job."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    reading.read(run, run.subject_id)


@on_failure(READ_JOB)
def set_aside(session: Session, job: Job, error: str) -> None:
    """Mark the evidence as failed."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    reading.fail(session, job.subject_id, error)


@handler(KEEP_JOB)
def keep_upload(run: Run) -> None:
    """Make evidence of the upload named by the job."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    uploaded.keep(run, run.subject_id)


@on_failure(KEEP_JOB)
def set_upload_aside(session: Session, job: Job, error: str) -> None:
    """Mark the upload as failed."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    uploaded.fail(session, job.subject_id, error)


@handler(PREVIEW_JOB)
def preview_upload(run: Run) -> None:
    """Read the first part of the upload named by the job."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    previewing.preview(run, run.subject_id)


@handler(FORGET_JOB)
def forget_preview(run: Run) -> None:
    """Delete the preview of a cancelled upload."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    with run.result() as session:
        previewing.forget(session, run.subject_id)
