"""Endpoints of reprocessing: begin, count, follow, cancel, and what changed."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from sqlalchemy.orm import Session

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases.queries import case_named
from backend.core.errors import NotFoundError
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.models import Change
from backend.reprocessing import queries, runs, selection
from backend.reprocessing.schemas import (
    ReprocessCount,
    ReprocessedCaseRead,
    ReprocessRunRead,
    ReprocessSelect,
)
from backend.reprocessing.selection import Selection

router = APIRouter(tags=["reprocessing"])

SILENT = frozenset({Change.NONE})


@router.get("/reprocess-runs", dependencies=[needs(Action.ADMINISTER)])
def list_reprocess_runs(session: SessionDep, page: PageDep) -> Listed[ReprocessRunRead]:
    """List the runs that read and judged stored cases again, newest first."""
    return page.envelope(queries.runs(session, page))


@router.post("/reprocess-runs", status_code=202, dependencies=[needs(Action.ADMINISTER)])
def begin_reprocess_run(
    body: ReprocessSelect,
    response: Response,
    session: SessionDep,
    principal: PrincipalDep,
    _once: ClaimedDep,
) -> ReprocessRunRead:
    """Read and judge stored cases again; each keeps its verdicts until the new ones are whole."""
    run = runs.begin(session, _chosen(session, body), author=principal.name)
    locate(response, "reprocess-runs", run.id)
    return queries.describe(session, [run])[0]


@router.post("/reprocess-runs/count", dependencies=[needs(Action.ADMINISTER)])
def count_reprocess_run(body: ReprocessSelect, session: SessionDep) -> ReprocessCount:
    """Count what a run would do, and begin none."""
    chosen = _chosen(session, body)
    files, file_bytes = selection.count_stale(session, chosen)
    return ReprocessCount(
        cases=selection.count_cases(session, chosen),
        files=files,
        file_bytes=file_bytes,
        drafts=selection.count_drafts(session, chosen),
    )


@router.get("/reprocess-runs/{run_id}", dependencies=[needs(Action.ADMINISTER)])
def read_reprocess_run(run_id: UUID, session: SessionDep) -> ReprocessRunRead:
    """Return one run with its progress."""
    return queries.describe(session, [queries.one(session, run_id)])[0]


@router.get("/reprocess-runs/{run_id}/cases", dependencies=[needs(Action.ADMINISTER)])
def list_reprocessed_cases(
    run_id: UUID,
    session: SessionDep,
    principal: PrincipalDep,
    page: PageDep,
    *,
    changed: Annotated[bool, Query(description="Only cases with a change or a failure.")] = False,
) -> Listed[ReprocessedCaseRead]:
    """List the cases of a run with their headlines and verdicts before and after, from new to old."""
    run = queries.one(session, run_id)
    wanted = [change for change in Change if not (changed and change in SILENT)]
    return page.envelope(queries.cases(session, run, principal, page, changes=wanted))


@router.post("/reprocess-runs/{run_id}/cancel", dependencies=[needs(Action.ADMINISTER)])
def cancel_reprocess_run(run_id: UUID, session: SessionDep, principal: PrincipalDep) -> ReprocessRunRead:
    """Cancel a run: it stops within about a second, and what is done stays."""
    run = runs.LIFECYCLE.cancel(session, queries.one(session, run_id), by=principal.name)
    return queries.describe(session, [run])[0]


def _chosen(session: Session, body: ReprocessSelect) -> Selection:
    """Return the selection of a request.

    Raises:
        NotFoundError: There is no such case.
    """
    case_id = None
    if body.case is not None:
        case = session.scalar(case_named(body.case))
        if case is None:
            raise NotFoundError(f"there is no case {body.case}")
        case_id = case.id
    return Selection(body.all, body.since, body.until, case_id)
