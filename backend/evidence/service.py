"""Upload limits, and retry, delete and restore of existing evidence."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlalchemy import select, update

from backend.cases.queries import hold
from backend.core import events
from backend.core.domain_events import publish
from backend.core.errors import ConflictError
from backend.evidence import case_index, placement
from backend.evidence.domain_events import CaseEvidenceChanged
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

MAX_LINES = 2000


def limits(session: Session, settings: Settings) -> LimitsRead:
    """Return the upload limits and the free space."""
    return LimitsRead(
        quota_bytes=settings.quota_bytes,
        left_bytes=space.free_space(session, settings).bytes,
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
    """Queue the reading of rejected, failed or cancelled `evidence` again.

    Raises:
        ConflictError: It is being read, or was read successfully.
    """
    if evidence.state not in {EvidenceState.REJECTED, EvidenceState.FAILED, EvidenceState.CANCELLED}:
        raise ConflictError(
            f"this evidence is {evidence.state}; only rejected, failed or cancelled evidence can be retried"
        )
    evidence.state = EvidenceState.RECEIVED
    evidence.reason = ""
    session.flush()
    _record_event(session, "evidence.retried", evidence, actor)
    queue_reading_alone(session, settings, evidence)


def delete(session: Session, evidence: Evidence, *, actor: str) -> None:
    """Delete `evidence` with its members from the case and queue the judgement."""
    hold(session, evidence.case_id)
    _set_deleted(session, evidence, datetime.now(UTC))
    _record_event(session, "evidence.deleted", evidence, actor)
    case_changed(session, evidence.case_id)
    case_index.refresh(session, evidence.case_id)


def restore(session: Session, settings: Settings, evidence: Evidence, *, actor: str) -> None:
    """Restore `evidence` with its members, queue it if unread, and queue the judgement.

    Raises:
        ConflictError: The same bytes were uploaded again meanwhile.
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
        raise ConflictError(f"cannot restore: the case holds the same bytes as evidence {twin}")
    hold(session, evidence.case_id)
    _set_deleted(session, evidence, None)
    if evidence.state is EvidenceState.RECEIVED:
        queue_reading_alone(session, settings, evidence)
    _record_event(session, "evidence.restored", evidence, actor)
    case_changed(session, evidence.case_id)
    case_index.refresh(session, evidence.case_id)


def case_changed(session: Session, case_id: UUID) -> None:
    """Increase the evidence revision of the case and publish that it changed."""
    note_change(session, case_id)
    publish(session, CaseEvidenceChanged(case_id))


def note_change(session: Session, case_id: UUID) -> Case | None:
    """Increase the evidence revision without queueing a judgement; return the case, if it exists.

    The evidence is placed again: that of one file depends on the folders of the others.
    """
    case = session.scalar(
        update(Case)
        .where(Case.id == case_id)
        .values(evidence_rev=Case.evidence_rev + 1, updated_at=datetime.now(UTC))
        .returning(Case)
        .execution_options(synchronize_session=False, populate_existing=True)
    )
    if case is not None:
        placement.refresh(session, case_id)
    return case


def attachment(filename: str) -> str:
    """Return the Content-Disposition header that saves as `filename` (RFC 6266).

    Clients that read no extended parameter, such as `curl -OJ`, get a name of plain characters.
    """
    name = filename or "evidence"
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _set_deleted(session: Session, evidence: Evidence, at: datetime | None) -> None:
    """Set the deletion time of `evidence` and all nested members."""
    level = [evidence.id]
    while level:
        session.execute(update(Evidence).where(Evidence.id.in_(level)).values(deleted_at=at))
        level = list(session.scalars(select(Evidence.id).where(Evidence.parent_id.in_(level))))
    session.refresh(evidence)


def _record_event(session: Session, kind: str, evidence: Evidence, actor: str) -> None:
    name = evidence.captured_path or evidence.filename
    events.record(
        session,
        kind,
        case_id=evidence.case_id,
        actor=actor,
        payload={"evidence_id": str(evidence.id), "name": name},
    )
