"""What is like a case."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import AskerDep, SessionDep, needs
from backend.cases.access import CaseDep
from backend.similarity import seen
from backend.similarity.schemas import SimilarRead

router = APIRouter(tags=["similarity"])


@router.get("/cases/{case_id}/similar", dependencies=[needs(Action.CASE_READ)])
def list_similar_cases(case: CaseDep, session: SessionDep, asker: AskerDep) -> SimilarRead:
    """Return cases that one sees which are like this one, each share told, and stories that fit."""
    return seen.before(session, asker, case)
