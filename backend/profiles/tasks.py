"""Job `profiles.index`: index the functions of a case by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.domain_events import subscribes
from backend.core.jobs.queue import enqueue, handler
from backend.evidence.domain_events import ProfilesRead
from backend.profiles import indexing
from backend.profiles.indexing import HEAVY

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run

INDEX_JOB = "profiles.index"


@subscribes(ProfilesRead)
def queue_indexing(session: Session, event: ProfilesRead) -> None:
    """Queue the index refresh of the case."""
    enqueue(session, INDEX_JOB, key=f"index:{event.case_id}", subject_id=event.case_id)


@handler(INDEX_JOB)
def index_case(run: Run) -> None:
    """Index the profiles of the case named by the job."""
    case_id = run.subject_id
    assert case_id is not None  # noqa: S101 - the job is enqueued with it
    key = f"index:{case_id}"
    indexing.index(
        run,
        case_id,
        lambda session: enqueue(session, INDEX_JOB, key=key, queue=HEAVY, subject_id=case_id),
    )
