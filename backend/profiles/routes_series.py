"""What a case measured over time, and its histograms."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, StoreDep, needs
from backend.cases.access import CaseDep
from backend.profiles import caching, series
from backend.profiles.schemas_series import HistogramRead, SeriesEntry, SeriesRead

router = APIRouter(tags=["profiles"])


@router.get(
    "/cases/{case_id}/histograms", response_model=list[HistogramRead], dependencies=[needs(Action.CASE_READ)]
)
def list_histograms(case: CaseDep, request: Request, session: SessionDep, store: StoreDep) -> Response:
    """Return the histograms of the case with shares, percentiles and where the summed time went."""
    question = f"{case.evidence_rev} histograms"
    return caching.respond(request, str(case.id), question, lambda: series.histograms(session, store, case))


@router.get(
    "/cases/{case_id}/series", response_model=list[SeriesEntry], dependencies=[needs(Action.CASE_READ)]
)
def list_series(case: CaseDep, request: Request, session: SessionDep, store: StoreDep) -> Response:
    """Return what can be drawn over time: rows of tools, pressure, facts that were read more than once."""
    question = f"{case.evidence_rev} series"
    return caching.respond(request, str(case.id), question, lambda: series.listed(session, store, case))


@router.get(
    "/cases/{case_id}/series/{series_id}", response_model=SeriesRead, dependencies=[needs(Action.CASE_READ)]
)
def read_series(
    case: CaseDep,
    request: Request,
    session: SessionDep,
    store: StoreDep,
    series_id: Annotated[
        str, Path(max_length=500, description="As the list names it: rows:…, fact:…, pressure:…")
    ],
    value: Annotated[str, Query(max_length=200, description="The column to draw; by default the first")] = "",
    by: Annotated[list[str] | None, Query(max_length=10, description="Columns that tell lines apart")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 30,
) -> Response:
    """Return one series as lines, the heaviest by their mean first."""
    apart = tuple(by or ())
    return caching.respond(
        request,
        str(case.id),
        f"{case.evidence_rev} series {series_id} {value} {apart} {limit}",
        lambda: series.lines(session, store, case, series_id, value, apart, limit),
    )
