"""Incident phases of evidence: each phase (before, during, after) is judged separately."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from backend.core import events
from backend.core.errors import NotFoundError, UnsupportedQueryError
from backend.evidence.service import case_changed
from backend.models.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.models.case import Case


def place(
    session: Session, case: Case, evidence_ids: Sequence[UUID], phase: str, *, actor: str
) -> list[Evidence]:
    """Assign evidence of the case and its members to `phase`, and queue the judgement.

    Raises:
        NotFoundError: One of them is not in the case; none is moved.
        UnsupportedQueryError: One is a member of an archive; an archive moves as a whole.
    """
    wanted = list(dict.fromkeys(evidence_ids))
    query = select(Evidence).where(
        Evidence.id.in_(wanted), Evidence.case_id == case.id, Evidence.deleted_at.is_(None)
    )
    found = {evidence.id: evidence for evidence in session.scalars(query)}
    for evidence_id in wanted:
        if evidence_id not in found:
            raise NotFoundError(f"this case has no evidence {evidence_id}")
        if found[evidence_id].parent_id is not None:
            name = found[evidence_id].captured_path
            raise UnsupportedQueryError(f"{name} is a member of an archive; assign the archive to the phase")
    moved = [found[evidence_id] for evidence_id in wanted if found[evidence_id].phase != phase]
    if not moved:
        return []
    level = [evidence.id for evidence in moved]
    while level:
        session.execute(update(Evidence).where(Evidence.id.in_(level)).values(phase=phase))
        level = list(session.scalars(select(Evidence.id).where(Evidence.parent_id.in_(level))))
    for evidence in moved:
        session.refresh(evidence)
    names = [evidence.captured_path or evidence.filename for evidence in moved]
    events.record(
        session, "evidence.placed", case_id=case.id, actor=actor, payload={"names": names, "phase": phase}
    )
    case_changed(session, case.id)
    return moved
