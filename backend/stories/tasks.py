"""Job `stories.begin`: draft of a story file uploaded as evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.jobs.queue import handler
from backend.evidence.reading import STORY_JOB
from backend.stories import from_evidence

if TYPE_CHECKING:
    from backend.core.jobs.run import Run


@handler(STORY_JOB)
def begin_story(run: Run) -> None:
    """Create the draft from the evidence named by the job."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    with run.result() as session:
        from_evidence.begin(session, run.store, run.subject_id)
