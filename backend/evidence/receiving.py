"""Staged files become evidence of a case, deduplicated by path and content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from backend.cases import overview
from backend.cases import service as cases
from backend.cases.queries import hold
from backend.core import events
from backend.core.domain_events import publish
from backend.core.jobs import backlog
from backend.core.jobs.fair_queue import DEFAULT_COST_MS
from backend.core.storage import gc_lock
from backend.evidence import placement, report
from backend.evidence.domain_events import ReadingRequested
from backend.evidence.schemas import Received
from backend.models.blob import Blob
from backend.models.evidence import Evidence, EvidenceState
from backend.uploads import names
from backend.uploads.domain_events import SmallFilesWaiting
from backend.uploads.writer import SMALL_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from backend.evidence.staging import Staged
    from backend.models.case import Case

READ_KEY = "read:"
BYTES_PER_MS = 100_000
"""Approximate text bytes parsed per millisecond."""
SLOW_COST_MS = 30_000.0
"""Estimated cost of a reading that exceeded the limits of the light queue."""


def receive(
    session: Session,
    store: Store,
    settings: Settings,
    case: Case | None,
    staged: Sequence[Staged],
    *,
    actor: str,
    owner: Principal | None = None,
    base_url: str = "",
    host: str = "",
    phase: str = "",
    is_refusable: bool = True,
) -> Received:
    """Store staged files as evidence of `case` (a new one of `owner` when None) and queue their reading.

    A file with the path and bytes of existing evidence returns that evidence, marked as a duplicate.
    What is not refusable, such as what the service brings itself, is received however much waits.

    Raises:
        QueueFullError: The sender has too many queued jobs.
    """
    try:
        if is_refusable:
            backlog.require_room(session, settings)
        gc_lock.put_until_commit(session)
        for file in staged:
            store.put_file(file.path, sha256=file.sha256)
        is_empty = case is None
        if case is None:
            case = cases.create(
                session,
                title=names.title_for([file.label for file in staged]),
                actor=actor,
                owner=owner,
            )
        else:
            # One receiver per case at a time, so that equal files sent concurrently are one evidence.
            hold(session, case.id)
        added = [
            add(session, case, file, actor=actor, host=host, phase=phase, is_first=is_empty and at == 0)
            for at, file in enumerate(staged)
        ]
        queue_readings(session, settings, case, [evidence for evidence, is_new in added if is_new])
        if not is_empty:
            cases.touch(case)
        session.flush()
    finally:
        for file in staged:
            file.path.unlink(missing_ok=True)
    return Received(
        case=overview.describe_one(session, case.id),
        evidence=report.describe(
            session,
            [evidence for evidence, _ in added],
            duplicates={evidence.id for evidence, is_new in added if not is_new},
        ),
        permalink=f"{base_url}/cases/{case.number}",
    )


def add(
    session: Session,
    case: Case,
    file: Staged,
    *,
    actor: str,
    preview: Evidence | None = None,
    host: str = "",
    phase: str = "",
    is_first: bool = False,
) -> tuple[Evidence, bool]:
    """Return the evidence for `file` and whether it is new; the blob is stored and the case locked.

    `preview` is the evidence of the first part; it becomes the evidence of the complete file, so links stay
    valid. `host` and `phase` are those that the sender names; a file that `is_first` is that of a new case.
    """
    place = select(Evidence).where(
        Evidence.case_id == case.id,
        Evidence.parent_id.is_(None),
        Evidence.captured_path == file.captured_path,
        Evidence.filename == file.filename,
        Evidence.sha256 == file.sha256,
        Evidence.deleted_at.is_(None),
    )
    existing = None if is_first else session.scalar(place)
    if existing is not None:
        if preview is not None:
            session.delete(preview)
        return existing, False
    session.execute(
        insert(Blob).values(sha256=file.sha256, size_bytes=file.size_bytes).on_conflict_do_nothing()
    )
    evidence = preview or Evidence(case_id=case.id, captured_path=file.captured_path, filename=file.filename)
    evidence.sha256, evidence.size_bytes = file.sha256, file.size_bytes
    evidence.state = EvidenceState.RECEIVED
    if preview is None:
        placement.set_host(session, evidence, host)
        placement.set_phase(evidence, phase)
    session.add(evidence)
    session.flush()
    events.record(
        session,
        "evidence.received",
        case_id=case.id,
        actor=actor,
        payload={"evidence_id": str(evidence.id), "name": file.label, "size_bytes": file.size_bytes},
    )
    return evidence, True


def queue_readings(session: Session, settings: Settings, case: Case, received: Sequence[Evidence]) -> None:
    """Queue the reading of new evidence; small files share the next batch of their case."""
    if any(is_small(settings, evidence) for evidence in received):
        publish(session, SmallFilesWaiting(case.id))
    for evidence in received:
        if not is_small(settings, evidence):
            queue_reading_alone(session, settings, evidence)


def is_small(settings: Settings, evidence: Evidence) -> bool:
    """Return whether `evidence` is read in a batch."""
    return _weight_bytes(evidence) <= min(SMALL_BYTES, settings.heavy_from_bytes)


def queue_reading_alone(session: Session, settings: Settings, evidence: Evidence) -> None:
    """Queue the reading of `evidence` as its own job, by weight class."""
    is_heavy = _weight_bytes(evidence) >= settings.heavy_from_bytes
    cost_ms = DEFAULT_COST_MS + _weight_bytes(evidence) / BYTES_PER_MS
    queue = "heavy" if is_heavy else "light"
    publish(session, ReadingRequested(evidence.id, queue, cost_ms))


def queue_small_alone(session: Session, evidence_id: UUID) -> None:
    """Queue the reading of small evidence as its own job."""
    publish(session, ReadingRequested(evidence_id, "light", DEFAULT_COST_MS))


def queue_slow_reading(session: Session, evidence_id: UUID) -> None:
    """Requeue the reading of evidence in the heavy queue after it was too slow for the light one."""
    publish(session, ReadingRequested(evidence_id, "heavy", SLOW_COST_MS, is_slow=True))


def _weight_bytes(evidence: Evidence) -> int:
    """Return the estimated decompressed size in bytes."""
    return evidence.size_bytes * names.expansion_of(evidence.filename)
