"""Jobs of search: the index row of a case, made with every change, and by a job for the cases of before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core import derived_rows
from backend.core.derived_rows import CaseContentChanged
from backend.core.domain_events import subscribes
from backend.core.jobs.queue import handler
from backend.search import index_row, matches

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run

INDEX_JOB = "search.index"
"""Queued by the migration that added the index."""


@subscribes(CaseContentChanged)
def index_case(session: Session, event: CaseContentChanged) -> None:
    """Write the index row of the case, and the new matches, in the transaction that changes the case."""
    is_first = matches.remember(session, event.case_id)
    settled = index_row.refresh(session, event.case_id)
    if settled is not None:
        matches.announce(session, settled, is_first=is_first)


@handler(INDEX_JOB)
def index_stored_case(run: Run) -> None:
    """Write the index row of a case that existed before the index."""
    assert run.subject_id is not None  # noqa: S101 - the job is enqueued with it
    with run.result() as session:
        derived_rows.mark(session, run.subject_id)
