"""Endpoints of time series and histograms of a case."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, StoreDep, needs
from backend.cases.access import CaseDep
from backend.profiles import caching, series
from backend.profiles.schemas_series import HistogramList, SeriesList, SeriesRead

router = APIRouter(tags=["profiles"])


@router.get(
    "/cases/{case_id}/histograms",
    response_model=HistogramList,
    dependencies=[needs(Action.CASE_READ)],
)
async def list_histograms(case: CaseDep, request: Request, session: SessionDep, store: StoreDep) -> Response:
    """List the histograms of the case with shares, percentiles and the distribution of the sum."""
    forks = request.app.state.forks
    question = f"{case.evidence_rev} histograms"
    return await caching.respond(
        request,
        session,
        str(case.id),
        question,
        lambda: series.histograms(forks, session, store, case),
    )


@router.get("/cases/{case_id}/series", response_model=SeriesList, dependencies=[needs(Action.CASE_READ)])
async def list_series(case: CaseDep, request: Request, session: SessionDep, store: StoreDep) -> Response:
    """List the time series of the case: rows of tools, pressure, repeated facts."""
    forks = request.app.state.forks
    question = f"{case.evidence_rev} series"
    return await caching.respond(
        request,
        session,
        str(case.id),
        question,
        lambda: series.listed(forks, session, store, case),
    )


@router.get(
    "/cases/{case_id}/series/{series_id}", response_model=SeriesRead, dependencies=[needs(Action.CASE_READ)]
)
async def read_series(
    case: CaseDep,
    request: Request,
    session: SessionDep,
    store: StoreDep,
    series_id: Annotated[
        str, Path(max_length=500, description="The id from the list: rows:…, fact:…, pressure:…")
    ],
    value: Annotated[str, Query(max_length=200, description="The column to plot; default: the first")] = "",
    by: Annotated[
        list[str] | None, Query(max_length=10, description="Columns that group rows into lines")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 30,
) -> Response:
    """Return one series as lines, the largest mean first."""
    forks = request.app.state.forks
    apart = tuple(by or ())
    return await caching.respond(
        request,
        session,
        str(case.id),
        f"{case.evidence_rev} series {series_id} {value} {apart} {limit}",
        lambda: series.lines(forks, session, store, case, series_id, value, apart, limit),
    )
