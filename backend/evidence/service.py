"""Evidence that is already there: read again, take out, bring back; and what one upload may hold."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlalchemy import select, update

from backend.core import events
from backend.core.errors import ConflictError
from backend.core.jobs.queue import enqueue
from backend.evidence import case_index
from backend.evidence.receiving import queue_reading_alone
from backend.evidence.schemas import LimitsRead
from backend.models.case import Case
from backend.models.evidence import Evidence, EvidenceState
from backend.uploads import space
from ingest.model.limits import DEFAULT

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.settings import Settings

JUDGE_JOB = "findings.judge"
INDEX_JOB = "profiles.index"
MAX_LINES = 2000


def limits(session: Session, settings: Settings) -> LimitsRead:
    """Return what one upload may hold, and how much there is space for."""
    return LimitsRead(
        quota_bytes=settings.quota_bytes,
        left_bytes=space.left(session, settings).bytes,
        max_evidence_bytes=settings.max_evidence_bytes,
        max_paste_bytes=settings.max_paste_bytes,
        max_files_per_request=settings.max_files_per_request,
        max_lines_per_request=MAX_LINES,
        decoded_bytes=DEFAULT.decoded_bytes,
        line_bytes=DEFAULT.line_bytes,
        archive_members=DEFAULT.members,
        archive_depth=DEFAULT.archive_depth,
    )


def retry(session: Session, settings: Settings, evidence: Evidence, *, actor: str) -> None:
    """Queue the reading of `evidence` again.

    Raises:
        ConflictError: It is being read, or was read without fault.
    """
    if evidence.state not in {EvidenceState.REJECTED, EvidenceState.FAILED}:
        raise ConflictError(
            f"this evidence is {evidence.state}; only what was rejected or failed is read again"
        )
    evidence.state = EvidenceState.RECEIVED
    evidence.reason = ""
    session.flush()
    _tell(session, "evidence.retried", evidence, actor)
    queue_reading_alone(session, settings, evidence)


def delete(session: Session, evidence: Evidence, *, actor: str) -> None:
    """Take `evidence` and the members of it out of the case, which is then judged again."""
    _set_deleted(session, evidence, datetime.now(UTC))
    _tell(session, "evidence.deleted", evidence, actor)
    case_changed(session, evidence.case_id)
    case_index.refresh(session, evidence.case_id)


def restore(session: Session, settings: Settings, evidence: Evidence, *, actor: str) -> None:
    """Bring `evidence` back with its members, read if it was not yet; the case is then judged again.

    Raises:
        ConflictError: The same bytes were sent again meanwhile.
    """
    if evidence.deleted_at is None:
        return
    twin = session.scalar(
        select(Evidence.id).where(
            Evidence.case_id == evidence.case_id,
            Evidence.parent_id.is_not_distinct_from(evidence.parent_id),
            Evidence.captured_path == evidence.captured_path,
            Evidence.filename == evidence.filename,
            Evidence.sha256 == evidence.sha256,
            Evidence.deleted_at.is_(None),
        )
    )
    if twin is not None:
        raise ConflictError(f"the same bytes are in the case again, as evidence {twin}")
    _set_deleted(session, evidence, None)
    if evidence.state is EvidenceState.RECEIVED:
        queue_reading_alone(session, settings, evidence)
    _tell(session, "evidence.restored", evidence, actor)
    case_changed(session, evidence.case_id)
    case_index.refresh(session, evidence.case_id)


def case_changed(session: Session, case_id: UUID) -> None:
    """Note that other evidence counts now, and queue the judgement of the case."""
    note_change(session, case_id)
    enqueue(session, JUDGE_JOB, key=f"judge:{case_id}", subject_id=case_id)


def note_change(session: Session, case_id: UUID) -> Case | None:
    """Note that other evidence counts now, without queueing a judgement; return the case, if it is there."""
    return session.scalar(
        update(Case)
        .where(Case.id == case_id)
        .values(evidence_rev=Case.evidence_rev + 1, updated_at=datetime.now(UTC))
        .returning(Case)
        .execution_options(synchronize_session=False, populate_existing=True)
    )


def attachment(filename: str) -> str:
    """Return the header that makes a browser save `filename` (RFC 6266)."""
    return f"attachment; filename*=UTF-8''{quote(filename or 'evidence', safe='')}"


def _set_deleted(session: Session, evidence: Evidence, at: datetime | None) -> None:
    """Mark `evidence` and everything inside it, archives in archives too."""
    level = [evidence.id]
    while level:
        session.execute(update(Evidence).where(Evidence.id.in_(level)).values(deleted_at=at))
        level = list(session.scalars(select(Evidence.id).where(Evidence.parent_id.in_(level))))
    session.refresh(evidence)


def _tell(session: Session, kind: str, evidence: Evidence, actor: str) -> None:
    name = evidence.captured_path or evidence.filename
    events.record(
        session,
        kind,
        case_id=evidence.case_id,
        actor=actor,
        payload={"evidence_id": str(evidence.id), "name": name},
    )
