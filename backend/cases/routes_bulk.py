"""Changes of several cases at once."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases import bulk, overview
from backend.cases.access import CasesDep
from backend.cases.schemas_bulk import CasesUpdate, CasesUpdated

router = APIRouter(prefix="/cases", tags=["cases"])


@router.patch("", dependencies=[needs(Action.CASE_CHANGE)])
def update_cases(
    body: CasesUpdate, cases: CasesDep, session: SessionDep, principal: PrincipalDep
) -> CasesUpdated:
    """Change status, severity, assignee or tags of several cases: all, or none if one is not visible."""
    bulk.update(session, cases, body.model_dump(exclude_unset=True), actor=principal.name)
    return CasesUpdated(items=overview.describe(session, [case.id for case in cases]))
