"""Job `stories.begin`: draft of a story file uploaded as evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.domain_events import subscribes
from backend.core.jobs.queue import enqueue, handler
from backend.evidence.domain_events import WarStoryRead
from backend.stories import from_evidence

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run

STORY_JOB = "stories.begin"


@subscribes(WarStoryRead)
def queue_draft(session: Session, event: WarStoryRead) -> None:
    """Queue the draft of the story."""
    enqueue(session, STORY_JOB, key=f"story:{event.evidence_id}", subject_id=event.evidence_id)


@handler(STORY_JOB)
def begin_story(run: Run) -> None:
    """Create the draft from the evidence named by the job."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    with run.result() as session:
        from_evidence.begin(session, run.store, run.subject_id)
