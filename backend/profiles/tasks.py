"""Job `profiles.index`: index the functions of a case by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.jobs.queue import handler
from backend.evidence.service import INDEX_JOB
from backend.profiles import indexing

if TYPE_CHECKING:
    from backend.core.jobs.run import Run


@handler(INDEX_JOB)
def index_case(run: Run) -> None:
    """Index the profiles of the case named by the job."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    indexing.index(run, run.subject_id)
