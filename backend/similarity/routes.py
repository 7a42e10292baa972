"""What is like a case."""

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
    """Return cases that one sees which are like this one, each share told, and stories that fit."""
    return similar.before(session, principal, case)
