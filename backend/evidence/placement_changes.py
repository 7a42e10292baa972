"""Changes of the host or phase of evidence by people."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.cases.queries import hold
from backend.core import events
from backend.core.errors import NotFoundError, UnsupportedQueryError
from backend.evidence.placement import Place, move, set_host, set_phase
from backend.evidence.service import case_changed
from backend.models.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.evidence.schemas_placement import EvidencePlacement
    from backend.models.case import Case


def assign(session: Session, case: Case, wanted: EvidencePlacement, *, actor: str) -> list[Evidence]:
    """Set host or phase of evidence and of its members; queue the judgement and return the changed evidence.

    Raises:
        NotFoundError: One of them is not in the case; none is changed.
        UnsupportedQueryError: One is a member of an archive; an archive is of one host and phase.
    """
    hold(session, case.id)
    changed = [
        evidence
        for evidence in _top_level(session, case, wanted.evidence_ids)
        if _set(session, evidence, wanted)
    ]
    if not changed:
        return []
    moves: dict[Place, list[UUID]] = defaultdict(list)
    for evidence in changed:
        moves[_columns(evidence)].append(evidence.id)
    for to, evidence_ids in moves.items():
        move(session, case.id, evidence_ids, to)
    events.record(
        session,
        "evidence.placed",
        case_id=case.id,
        actor=actor,
        payload={
            "names": [evidence.captured_path or evidence.filename for evidence in changed],
            **wanted.model_dump(include={"host", "phase"}, exclude_unset=True),
        },
    )
    case_changed(session, case.id)
    for evidence in changed:
        session.refresh(evidence)
    return changed


def _top_level(session: Session, case: Case, evidence_ids: Sequence[UUID]) -> list[Evidence]:
    """Return the evidence with these ids, in their order."""
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
            raise UnsupportedQueryError(f"{name} is a member of an archive; set those of the archive")
    return [found[evidence_id] for evidence_id in wanted]


def _set(session: Session, evidence: Evidence, wanted: EvidencePlacement) -> bool:
    """Set what `wanted` holds; return whether that changed anything."""
    before = _columns(evidence)
    if "host" in wanted.model_fields_set:
        set_host(session, evidence, wanted.host or "")
    if "phase" in wanted.model_fields_set:
        set_phase(evidence, wanted.phase or "")
    session.flush()
    return _columns(evidence) != before


def _columns(evidence: Evidence) -> Place:
    return Place(evidence.host_id, evidence.host_basis, evidence.phase, evidence.phase_basis)
