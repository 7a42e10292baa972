"""Endpoints of problems."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import Page, paged
from backend.problems import curation, statistics
from backend.problems.schemas import (
    Kind,
    ProblemMade,
    ProblemRead,
    ProblemsMerge,
    ProblemSplit,
    ProblemSummary,
)

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


@router.post("/problems/merges", status_code=201, dependencies=[needs(Action.PROBLEM_CURATE)])
def merge_problems(
    body: ProblemsMerge, session: SessionDep, principal: PrincipalDep, response: Response
) -> ProblemMade:
    """Make one problem of several clusters; `DELETE /problems/{key}` takes it back."""
    return _made(response, curation.merge(session, principal, body.keys, body.title))


@router.post("/problems/splits", status_code=201, dependencies=[needs(Action.PROBLEM_CURATE)])
def split_problem(
    body: ProblemSplit, session: SessionDep, principal: PrincipalDep, response: Response
) -> ProblemMade:
    """Make a problem of some cases of another one; `DELETE /problems/{key}` takes it back."""
    return _made(response, curation.split(session, principal, body.key, body.cases, body.title))


@router.delete("/problems/{key:path}", status_code=204, dependencies=[needs(Action.PROBLEM_CURATE)])
def take_back_problem(
    session: SessionDep, principal: PrincipalDep, key: Annotated[str, Path(max_length=300)]
) -> None:
    """Take back a merge or a split: the cases belong again to what they belonged to."""
    curation.take_back(session, principal, key)


@router.get("/problems/{key:path}", dependencies=[needs(Action.CASES_LIST)])
def read_problem(
    session: SessionDep, principal: PrincipalDep, key: Annotated[str, Path(max_length=300)]
) -> ProblemRead:
    """Return a problem: hits by week, hosts, kernels, newest cases; of a signature fixes and precision."""
    return statistics.read(session, principal, key)


def _made(response: Response, key: str) -> ProblemMade:
    locate(response, "problems", key)
    return ProblemMade(key=key)
