"""Endpoints of the jobs of a case."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.operations import cancelling, queries
from backend.operations.schemas import JobRead, JobsCancel, JobsCancelled

router = APIRouter(tags=["operations"])


@router.get("/cases/{case_id}/jobs", dependencies=[needs(Action.CASE_READ)])
def list_jobs(case: CaseDep, session: SessionDep, page: PageDep) -> Listed[JobRead]:
    """List the jobs of the case, its evidence, uploads, handoffs and drafts, newest first."""
    return page.envelope(
        [JobRead.model_validate(job) for job in queries.jobs_of_case(session, case.id, page)]
    )


@router.post("/cases/{case_id}/jobs/cancel", dependencies=[needs(Action.CASE_CHANGE)])
def cancel_jobs(
    body: JobsCancel, case: CaseDep, session: SessionDep, principal: PrincipalDep
) -> JobsCancelled:
    """Cancel what is being read, judged or prepared: it stops within about a second, and stores nothing."""
    cancelled = cancelling.cancel(session, case, body.work, body.subject_id, by=principal.name)
    return JobsCancelled(cancelled=cancelled)
