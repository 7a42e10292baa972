"""Job `handoffs.prepare`: redact and judge one handoff; the links of a disabled account end."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from backend.accounts.domain_events import AccountDisabled
from backend.core.domain_events import subscribes
from backend.core.errors import StoredBytesError
from backend.core.jobs.interventions import on_cancel, on_retry
from backend.core.jobs.queue import Job, enqueue, handler, on_failure
from backend.handoffs import preparation, service
from backend.handoffs.domain_events import HandoffCreated
from backend.models import Handoff, HandoffState
from backend.sandbox.runner import LimitHitError, TooSlowError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run

logger = logging.getLogger(__name__)

PREPARE_JOB = "handoffs.prepare"
HEAVY = "heavy"
OUR_BUG = "preparation failed after several attempts because of a bug in Casebook; nothing was shared"


@subscribes(AccountDisabled)
def end_links(session: Session, event: AccountDisabled) -> None:
    """Revoke the links to handoffs that the account made."""
    service.revoke_links_of(session, event.account_id, maker=event.name, by=event.by)


@subscribes(HandoffCreated)
def queue_preparation(session: Session, event: HandoffCreated) -> None:
    """Queue the preparation of the handoff."""
    key = f"handoff:{event.handoff_id}"
    enqueue(session, PREPARE_JOB, key=key, queue=event.queue, subject_id=event.handoff_id)


@handler(PREPARE_JOB)
def prepare_handoff(run: Run) -> None:
    """Prepare the handoff named by the job."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    handoff_id = run.subject_id
    try:
        preparation.prepare(run, handoff_id)
    except (LimitHitError, TooSlowError) as hit:
        with run.result() as session:
            if run.queue == HEAVY:
                preparation.fail(session, handoff_id, f"{hit}; nothing was shared, hand over less evidence")
            else:
                logger.info("handoff %s goes on in the heavy queue: %s", handoff_id, hit)
                key = f"handoff:{handoff_id}"
                enqueue(session, PREPARE_JOB, key=key, queue=HEAVY, subject_id=handoff_id, is_slow=True)
    except StoredBytesError as error:
        with run.result() as session:
            preparation.fail(session, handoff_id, f"{error}; nothing was shared")


@on_failure(PREPARE_JOB)
def set_handoff_aside(session: Session, job: Job, error: str) -> None:  # noqa: ARG001 - the queue's signature
    """Mark the handoff as failed."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    preparation.fail(session, job.subject_id, OUR_BUG)


@on_retry(PREPARE_JOB)
def reset_handoff(session: Session, job: Job) -> None:
    """Mark the handoff as being prepared."""
    handoff = session.get(Handoff, job.subject_id, with_for_update=True)
    if handoff is not None and handoff.state is HandoffState.FAILED:
        handoff.state, handoff.reason = HandoffState.PREPARING, ""


@on_cancel(PREPARE_JOB)
def cancel_preparation(session: Session, job: Job, by: str) -> None:
    """Mark the handoff as cancelled."""
    assert job.subject_id is not None  # noqa: S101 - the job is enqueued with it
    service.cancel(session, job.subject_id, by=by)
