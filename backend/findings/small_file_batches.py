"""Intake of small files: stored, read, indexed and judged in one job per batch.

A small case is indexed and judged in the transaction that stores the readings; a larger one by separate jobs
with shorter locks. The judgement waits for following batches up to a limit.
"""

from __future__ import annotations

import logging
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Interval, Uuid, and_, bindparam, func, or_, select

from backend.cases.queries import hold
from backend.core.domain_events import publish
from backend.core.jobs.run import LostLeaseError
from backend.core.storage import gc_lock
from backend.evidence import batching, read_files, reading, reading_folders, uploaded
from backend.evidence.service import note_change
from backend.findings import judging
from backend.models.evidence import Evidence
from backend.uploads.domain_events import SmallFilesWaiting
from backend.uploads.writer import more_are_coming, recent

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run

logger = logging.getLogger(__name__)

SMALL_CASE_FILES = 16
SMALL_CASE_BYTES = 1 << 20
UNJUDGED_BATCHES = 8
"""Maximum number of batches of one case before it is judged, if more keep coming."""


def read_batch(run: Run, case_id: UUID) -> None:
    """Read the next batch of the case; a batch that fails as a whole is split into one job per file."""
    if run.attempt > 1:
        _split(run, case_id)
        return
    try:
        _read_batch(run, case_id)
    except LostLeaseError:
        raise
    except Exception:
        logger.exception("a batch of case %s failed; its files are read one by one", case_id)
        _split(run, case_id)


def split(session: Session, case_id: UUID) -> None:
    """Give every waiting upload and evidence of the case a job of its own."""
    hold(session, case_id)
    uploaded.split(session, case_id)
    batching.split(session, case_id)


def cancel(session: Session, case_id: UUID, *, by: str) -> None:
    """Cancel the reading of every waiting file of the case; complete uploads still become evidence."""
    batching.cancel(session, case_id, by=by)
    uploaded.split(session, case_id)


def _split(run: Run, case_id: UUID) -> None:
    with run.result(first=lambda session: hold(session, case_id)) as session:
        split(session, case_id)


def _read_batch(run: Run, case_id: UUID) -> None:
    limit = batching.MAX_FILES
    with run.session() as session:
        uploads = uploaded.staged(session, run.settings, case_id, limit=limit)
        subjects = [] if uploads else batching.waiting(session, case_id, limit=limit)
    if uploads:
        uploaded.keep_together(run, case_id, uploads)
        with run.session() as session:
            subjects = batching.waiting(session, case_id, limit=limit)
    with tempfile.TemporaryDirectory(dir=read_files.scratch_of(run), prefix="batch-") as scratch:
        batch = batching.read(run, subjects, Path(scratch))
        run.check()

        def put(session: Session) -> None:
            gc_lock.put_until_commit(session)
            for file in batch.read:
                reading_folders.put_folders(run.store, file.output, file.report)
            hold(session, case_id)

        with run.result(first=put) as session:
            has_changed = batching.keep(session, run.settings, batch) > 0
            _go_on(session, run, case_id, has_changed=has_changed)


def _go_on(session: Session, run: Run, case_id: UUID, *, has_changed: bool) -> None:
    """Queue the follow-up jobs, or run them inline for a small case; the caller holds the case lock."""
    case = note_change(session, case_id) if has_changed else hold(session, case_id)
    if case is None:
        return
    has_more, are_coming, is_small = _outlook(session, case_id)
    if has_more:
        publish(session, SmallFilesWaiting(case_id))
    if has_changed and are_coming:
        # One judgement for many batches; the first batch makes findings appear during the upload.
        judging.queue_judgement(session, case_id)
        reading.queue_indexing(session, case_id)
        return
    if not has_changed or (has_more and case.evidence_rev - case.judged_rev < UNJUDGED_BATCHES):
        return
    if not has_more and is_small:
        judging.judge_now(session, run.settings, run.store, case)
    else:
        reading.queue_indexing(session, case_id)
        judging.queue_judgement(session, case_id)


def _outlook(session: Session, case_id: UUID) -> tuple[bool, bool, bool]:
    """Return whether files of the case wait, more are expected, and all are small enough to judge inline."""
    parameters = {"case_id": case_id, "since": recent()}
    outlook: tuple[bool, bool, bool] = session.execute(_outlook_query(), parameters).one()
    return outlook


@cache
def _outlook_query() -> Select[bool, bool, bool]:
    """Return the query of `_outlook`, with the parameters `case_id` and `since`."""
    case_id, since = bindparam("case_id", type_=Uuid()), bindparam("since", type_=Interval())
    some = (
        select(Evidence.size_bytes).where(Evidence.case_id == case_id).limit(SMALL_CASE_FILES + 1).subquery()
    )
    is_small = and_(
        func.count() <= SMALL_CASE_FILES, func.coalesce(func.sum(some.c.size_bytes), 0) <= SMALL_CASE_BYTES
    )
    has_more = or_(batching.is_waiting(case_id), uploaded.is_waiting(case_id))
    return select(has_more, more_are_coming(case_id, since), is_small).select_from(some)
