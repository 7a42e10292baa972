"""Small files of a case become evidence, are read, indexed and judged in one job.

A small case is indexed and judged in the transaction that keeps the readings; a larger one is left to jobs,
which take their locks for a shorter time. The judgement waits for the batches that follow, but not for ever.
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.cases.queries import hold
from backend.core.jobs.run import LostLeaseError
from backend.evidence import batching, reading, reading_rows, uploaded
from backend.evidence.service import note_change
from backend.findings import judging
from backend.models.evidence import Evidence
from backend.profiles import indexing
from backend.uploads.writer import are_coming, queue_batch

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.core.storage.object_store import Store

logger = logging.getLogger(__name__)

SMALL_CASE_FILES = 16
SMALL_CASE_BYTES = 1 << 20
UNJUDGED_BATCHES = 8
"""So many batches of one case are read at most before it is judged, if more keep coming."""


def take_in(run: Run, case_id: UUID) -> None:
    """Read the next batch of the case; what failed as a whole is read file by file, in jobs of their own."""
    if run.attempt > 1:
        _split(run, case_id)
        return
    try:
        _take_in(run, case_id)
    except LostLeaseError:
        raise
    except Exception:
        logger.exception("a batch of case %s failed; its files are read one by one", case_id)
        _split(run, case_id)


def split(session: Session, case_id: UUID) -> None:
    """Give everything that waits for a batch of the case a job of its own."""
    hold(session, case_id)
    uploaded.split(session, case_id)
    batching.split(session, case_id)


def _split(run: Run, case_id: UUID) -> None:
    with run.result(first=lambda session: hold(session, case_id)) as session:
        split(session, case_id)


def _take_in(run: Run, case_id: UUID) -> None:
    uploaded.keep_together(run, case_id, limit=batching.MAX_FILES)
    with run.session() as session:
        subjects = batching.waiting(session, case_id, limit=batching.MAX_FILES)
    with tempfile.TemporaryDirectory(dir=reading.scratch_of(run), prefix="batch-") as scratch:
        batch = batching.read(run, subjects, Path(scratch))
        run.check()
        with run.putting():
            for file in batch.read:
                reading_rows.put_folders(run.store, file.output, file.told)
            with run.result(first=lambda session: hold(session, case_id)) as session:
                has_changed = batching.keep(session, run.settings, batch) > 0
                _go_on(session, run.store, case_id, has_changed=has_changed)


def _go_on(session: Session, store: Store, case_id: UUID, *, has_changed: bool) -> None:
    """Queue what comes next, or do it here when it is little; the case is held."""
    case = note_change(session, case_id) if has_changed else hold(session, case_id)
    if case is None:
        return
    has_more = bool(
        batching.waiting(session, case_id, limit=1) or uploaded.waiting(session, case_id, limit=1)
    )
    if has_more:
        queue_batch(session, case_id)
    if has_changed and are_coming(session, case_id):
        # One judgement for many; with the first of them findings appear while the rest is sent.
        judging.queue_judgement(session, case_id)
        reading.queue_indexing(session, case_id)
        return
    if not has_changed or (has_more and case.evidence_rev - case.judged_rev < UNJUDGED_BATCHES):
        return
    if not has_more and _is_small(session, case_id):
        indexing.index_now(session, store, case_id)
        judging.judge_now(session, store, case)
    else:
        reading.queue_indexing(session, case_id)
        judging.queue_judgement(session, case_id)


def _is_small(session: Session, case_id: UUID) -> bool:
    """Say whether all evidence of the case together is little."""
    count, size_bytes = session.execute(
        select(func.count(), func.coalesce(func.sum(Evidence.size_bytes), 0)).where(
            Evidence.case_id == case_id
        )
    ).one()
    return bool(count <= SMALL_CASE_FILES and size_bytes <= SMALL_CASE_BYTES)
