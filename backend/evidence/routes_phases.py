"""The phase that evidence belongs to."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases.access import CaseDep
from backend.evidence import phases, report
from backend.evidence.schemas import EvidenceRead
from backend.evidence.schemas_phases import PhasePlacing

router = APIRouter(tags=["evidence"])


@router.put("/cases/{case_id}/phases", dependencies=[needs(Action.CASE_CHANGE)])
def place_evidence(
    body: PhasePlacing, case: CaseDep, session: SessionDep, principal: PrincipalDep
) -> list[EvidenceRead]:
    """Put evidence into a phase, archives with their members; the answer is what moved."""
    moved = phases.place(session, case, body.evidence_ids, body.phase, actor=principal.name)
    return report.describe(session, moved)
