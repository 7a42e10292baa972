"""Jobs of evidence: read it, store a complete upload, preview an incomplete one."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from backend.core.domain_events import subscribes
from backend.core.jobs.interventions import on_cancel, on_retry
from backend.core.jobs.queue import enqueue, handler, on_failure
from backend.evidence import previewing, reading, uploaded
from backend.evidence.domain_events import ReadingRequested
from backend.evidence.receiving import READ_KEY
from backend.evidence.uploaded import KEEP_KEY
from backend.uploads.domain_events import PreviewBytesReceived, PreviewedUploadDeleted, UploadCompleted

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.job import Job
    from backend.core.jobs.run import Run

READ_JOB = "evidence.read"
KEEP_JOB = "evidence.keep"
PREVIEW_JOB = "evidence.preview"
FORGET_JOB = "evidence.forget_preview"


@subscribes(ReadingRequested)
def queue_reading(session: Session, event: ReadingRequested) -> None:
    """Queue the reading of the evidence."""
    enqueue(
        session,
        READ_JOB,
        key=f"{READ_KEY}{event.evidence_id}",
        queue=event.queue,
        subject_id=event.evidence_id,
        cost_ms=event.cost_ms,
        is_slow=event.is_slow,
    )


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


@on_retry(READ_JOB)
def queue_evidence(session: Session, job: Job) -> None:
    """Mark the evidence as queued."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    reading.reset(session, job.subject_id)


@on_cancel(READ_JOB)
def cancel_reading(session: Session, job: Job, by: str) -> None:
    """Mark the evidence as cancelled."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    reading.cancel(session, job.subject_id, by=by)


@subscribes(UploadCompleted)
def queue_keeping(session: Session, event: UploadCompleted) -> None:
    """Queue the conversion of the upload to evidence."""
    key = f"{KEEP_KEY}{event.upload_id}"
    enqueue(session, KEEP_JOB, key=key, queue=event.queue, subject_id=event.upload_id, sender=event.sender)


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


@on_retry(KEEP_JOB)
def queue_upload(session: Session, job: Job) -> None:
    """Mark the upload as complete."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    uploaded.reset(session, job.subject_id)


@subscribes(PreviewBytesReceived)
def queue_preview(session: Session, event: PreviewBytesReceived) -> None:
    """Queue the preview of the upload."""
    key = f"preview:{event.upload_id}"
    enqueue(session, PREVIEW_JOB, key=key, subject_id=event.upload_id, sender=event.sender)


@handler(PREVIEW_JOB)
def preview_upload(run: Run) -> None:
    """Read the first part of the upload named by the job."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    previewing.preview(run, run.subject_id)


@subscribes(PreviewedUploadDeleted)
def queue_deletion(session: Session, event: PreviewedUploadDeleted) -> None:
    """Queue the deletion of the preview."""
    key = f"forget:{event.evidence_id}"
    # No subject: the job is for what is being deleted.
    enqueue(session, FORGET_JOB, key=key, sender=event.sender, evidence_id=str(event.evidence_id))


@handler(FORGET_JOB)
def forget_preview(run: Run) -> None:
    """Delete the preview of a cancelled upload."""
    with run.result() as session:
        previewing.forget(session, UUID(run.payload["evidence_id"]))
