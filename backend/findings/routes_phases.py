"""Endpoint that compares the phases of a case."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases.access import CaseDep
from backend.findings import fix_outcomes, phases
from backend.findings.schemas_phases import FixOutcomesRead, PhasesRead

router = APIRouter(tags=["findings"])


@router.get("/cases/{case_id}/phases", dependencies=[needs(Action.CASE_READ)])
def compare_phases(case: CaseDep, session: SessionDep) -> PhasesRead:
    """Return every signature that fired by phase, as cleared, persisting or open, with the reason."""
    return phases.of_case(session, case)


@router.get("/signatures/{area}/{name}/outcomes", dependencies=[needs(Action.LIBRARY_READ)])
def count_fix_outcomes(
    area: Annotated[str, Path(max_length=50)],
    name: Annotated[str, Path(max_length=100)],
    session: SessionDep,
    principal: PrincipalDep,
) -> FixOutcomesRead:
    """Count how often each fix of a signature worked, in the closed cases that you may see."""
    return FixOutcomesRead(items=fix_outcomes.of_signature(session, principal, f"{area}/{name}"))
