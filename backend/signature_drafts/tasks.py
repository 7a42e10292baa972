"""Job `signature_drafts.draft`: draft one signature from its case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.domain_events import subscribes
from backend.core.errors import StoredBytesError
from backend.core.jobs.interventions import on_retry
from backend.core.jobs.queue import Job, enqueue, handler, on_failure
from backend.models import DraftState, SignatureDraft
from backend.sandbox.runner import LimitHitError
from backend.signature_drafts import drafting, service
from backend.signature_drafts.domain_events import SignatureDraftRequested

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run

DRAFT_JOB = "signature_drafts.draft"
FAILED = "drafting failed after several attempts because of a bug in Casebook"


@subscribes(SignatureDraftRequested)
def queue_drafting(session: Session, event: SignatureDraftRequested) -> None:
    """Queue the drafting."""
    key = f"signature-draft:{event.draft_id}"
    # The comparison with the library alone takes what the light queue allows.
    enqueue(session, DRAFT_JOB, key=key, queue="heavy", subject_id=event.draft_id)


@handler(DRAFT_JOB)
def draft_signature(run: Run) -> None:
    """Draft the signature named by the job."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    draft_id = run.subject_id
    try:
        drafting.draft(run, draft_id)
    except (LimitHitError, StoredBytesError) as error:
        with run.result() as session:
            _fail(session, draft_id, str(error))


@on_retry(DRAFT_JOB)
def reset_draft(session: Session, job: Job) -> None:
    """Mark the draft as being drafted."""
    draft = session.get(SignatureDraft, job.subject_id, with_for_update=True)
    if draft is not None and draft.state is DraftState.FAILED:
        draft.state, draft.reason = DraftState.DRAFTING, ""


@on_failure(DRAFT_JOB)
def set_draft_aside(session: Session, job: Job, error: str) -> None:  # noqa: ARG001 - the queue's signature
    """Mark the draft as failed."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    _fail(session, job.subject_id, FAILED)


def _fail(session: Session, draft_id: UUID, reason: str) -> None:
    draft = session.get(SignatureDraft, draft_id)
    if draft is not None:
        service.fail(session, draft, reason)
