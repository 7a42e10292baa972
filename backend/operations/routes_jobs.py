"""Endpoint of the jobs of a case."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.operations import queries
from backend.operations.schemas import JobRead

router = APIRouter(tags=["operations"])


@router.get("/cases/{case_id}/jobs", dependencies=[needs(Action.CASE_READ)])
def list_jobs(case: CaseDep, session: SessionDep, page: PageDep) -> Listed[JobRead]:
    """List the jobs of the case and its evidence, newest first."""
    return page.envelope(
        [JobRead.model_validate(job) for job in queries.jobs_of_case(session, case.id, page)]
    )
