"""Endpoints of problems."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.core.http.envelope import Listed
from backend.core.http.pagination import Page, paged
from backend.problems import statistics
from backend.problems.schemas import Kind, ProblemRead, ProblemSummary

router = APIRouter(tags=["problems"])


@router.get("/problems", dependencies=[needs(Action.CASES_LIST)])
def list_problems(
    session: SessionDep,
    principal: PrincipalDep,
    page: Annotated[Page, paged(50, 200)],
    kind: Annotated[
        Kind, Query(description="`cluster`: what no signature explains, the work list of curators")
    ] = "signature",
) -> Listed[ProblemSummary]:
    """List problems with visible cases, the one with most first."""
    return page.envelope(statistics.listed(session, principal, kind, page))


@router.get("/problems/{key:path}", dependencies=[needs(Action.CASES_LIST)])
def read_problem(
    session: SessionDep, principal: PrincipalDep, key: Annotated[str, Path(max_length=300)]
) -> ProblemRead:
    """Return a problem: hits by week, hosts, kernels, newest cases; of a signature fixes and precision."""
    return statistics.read(session, principal, key)
