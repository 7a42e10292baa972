"""Endpoint that assigns evidence to an incident phase."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.evidence import phases, report
from backend.evidence.schemas import EvidenceRead
from backend.evidence.schemas_phases import PhaseAssignment

router = APIRouter(tags=["evidence"])


@router.put("/cases/{case_id}/phases", dependencies=[needs(Action.CASE_CHANGE)])
def assign_phase(
    body: PhaseAssignment, case: CaseDep, session: SessionDep, principal: PrincipalDep
) -> Listed[EvidenceRead]:
    """Assign evidence to a phase, archives with their members, and return the moved evidence."""
    moved = phases.place(session, case, body.evidence_ids, body.phase, actor=principal.name)
    return Listed(items=report.describe(session, moved), next_cursor=None)
