"""Endpoint of similar cases."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases.access import CaseDep
from backend.similarity import similar
from backend.similarity.schemas import SimilarRead

router = APIRouter(tags=["similarity"])


@router.get("/cases/{case_id}/similar", dependencies=[needs(Action.CASE_READ)])
def list_similar_cases(case: CaseDep, session: SessionDep, principal: PrincipalDep) -> SimilarRead:
    """List visible cases similar to this one, with every share, and matching stories."""
    return similar.before(session, principal, case)
