"""Endpoints of the jobs of a case, and of failed jobs."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.operations import cancelling, failed_jobs, queries
from backend.operations.schemas import (
    FailedJobRead,
    FailedJobsChanged,
    FailedJobsSelect,
    JobRead,
    JobsCancel,
    JobsCancelled,
)

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
    """Cancel what is being read, judged or prepared: it stops within a second, and stores nothing."""
    cancelled = cancelling.cancel(session, case, body.work, body.subject_id, by=principal.name)
    return JobsCancelled(cancelled=cancelled)


@router.get("/jobs/failed", dependencies=[needs(Action.ADMINISTER)])
def list_failed_jobs(session: SessionDep, page: PageDep) -> Listed[FailedJobRead]:
    """List jobs that failed in all their attempts, newest first, without those of deleted subjects."""
    return page.envelope(failed_jobs.describe(session, queries.failed_jobs(session, page)))


@router.post("/jobs/failed/retry", dependencies=[needs(Action.ADMINISTER)])
def retry_failed_jobs(body: FailedJobsSelect, session: SessionDep) -> FailedJobsChanged:
    """Run failed jobs again, as new jobs with all their attempts."""
    return failed_jobs.run_again(session, body.ids)


@router.post("/jobs/failed/dismiss", dependencies=[needs(Action.ADMINISTER)])
def dismiss_failed_jobs(body: FailedJobsSelect, session: SessionDep) -> FailedJobsChanged:
    """Take failed jobs off the list; their subjects stay as they are."""
    return failed_jobs.dismiss(session, body.ids)
