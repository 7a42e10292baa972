"""Endpoint that sets host and phase of evidence."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.evidence import placement_changes, report
from backend.evidence.schemas import EvidenceRead
from backend.evidence.schemas_placement import EvidencePlacement

router = APIRouter(tags=["evidence"])


@router.patch("/cases/{case_id}/evidence", dependencies=[needs(Action.CASE_CHANGE)])
def place_evidence(
    body: EvidencePlacement, case: CaseDep, session: SessionDep, principal: PrincipalDep
) -> Listed[EvidenceRead]:
    """Set host or phase of evidence, archives with their members, and return the changed evidence."""
    changed = placement_changes.assign(session, case, body, actor=principal.name)
    return Listed(items=report.describe(session, changed), next_cursor=None)
