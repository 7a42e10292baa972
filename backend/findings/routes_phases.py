"""Phases of a case compared."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.cases.access import CaseDep
from backend.findings import phases
from backend.findings.schemas_phases import PhasesRead

router = APIRouter(tags=["findings"])


@router.get("/cases/{case_id}/phases", dependencies=[needs(Action.CASE_READ)])
def compare_phases(case: CaseDep, session: SessionDep) -> PhasesRead:
    """Return every signature that fired, phase by phase: cleared, persists, or still open, and why."""
    return phases.of_case(session, case)
