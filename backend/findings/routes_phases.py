"""Endpoint that compares the phases of a case."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, StoreDep, needs
from backend.cases.access import CaseDep
from backend.findings import phases
from backend.findings.schemas_phases import PhasesRead

router = APIRouter(tags=["findings"])


@router.get("/cases/{case_id}/phases", dependencies=[needs(Action.CASE_READ)])
def compare_phases(case: CaseDep, session: SessionDep, store: StoreDep) -> PhasesRead:
    """Return every signature that fired by phase, as cleared, persisting or open, with the reason."""
    return phases.of_case(session, store, case)
