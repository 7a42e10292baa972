"""Endpoints of baselines."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.access.idempotency import ClaimedDep
from backend.baselines import queries, service, trends
from backend.baselines.schemas import (
    BaselineRead,
    Measure,
    PointAdded,
    PointCreate,
    PointDocument,
    SeriesFilter,
    TrendRead,
)
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import Page, paged
from backend.models.baseline import BaselinePoint
from backend.profiles import caching
from backend.profiles.access import DiffOptionsDep
from backend.profiles.schemas import DiffRead
from ingest.comparison.measures import CPU_TIME

router = APIRouter(prefix="/baselines", tags=["baselines"])


def get_series(session: SessionDep, principal: PrincipalDep, baseline_id: UUID) -> queries.Series:
    """Return the baseline named in the URL.

    Raises:
        NotFoundError: It does not exist or is not visible.
    """
    return queries.series(session, principal, baseline_id)


def get_point(
    session: SessionDep, principal: PrincipalDep, baseline_id: UUID, point_id: UUID
) -> BaselinePoint:
    """Return the point named in the URL.

    Raises:
        NotFoundError: It does not exist, or its baseline is not visible.
    """
    return queries.point(session, principal, baseline_id, point_id)


SeriesDep = Annotated[queries.Series, Depends(get_series)]
PointDep = Annotated[BaselinePoint, Depends(get_point)]


@router.get("", dependencies=[needs(Action.BASELINES_READ)])
def list_baselines(
    session: SessionDep,
    principal: PrincipalDep,
    page: Annotated[Page, paged()],
    by: Annotated[SeriesFilter, Query()],
) -> Listed[BaselineRead]:
    """List the visible baselines by project, benchmark, machine and kernel."""
    found = queries.found(session, principal, page, by)
    return page.envelope([trends.describe(one) for one in found])


@router.post("", status_code=201, dependencies=[needs(Action.BASELINE_ADD)])
def add_baseline_point(
    body: PointCreate, response: Response, session: SessionDep, principal: PrincipalDep, _once: ClaimedDep
) -> PointAdded:
    """Add the runs of one build as a point; its series is created when missing.

    Adding the same recordings again returns the point that has them, with the status 200.
    """
    point, is_new = service.add(session, principal, body)
    if not is_new:
        response.status_code = 200
    locate(response, "baselines", point.baseline_id, "points", point.id)
    return PointAdded(id=point.id, baseline_id=point.baseline_id, is_new=is_new)


@router.get("/{baseline_id}", dependencies=[needs(Action.BASELINES_READ)])
def read_baseline(
    series: SeriesDep,
    session: SessionDep,
    measure: Annotated[
        Measure, Query(description="`cpu`, the event of a counter, or `kind.function`")
    ] = CPU_TIME,
) -> TrendRead:
    """Return a baseline with its points and the change points of one measure."""
    return trends.trend(session, series, measure)


@router.delete("/{baseline_id}", status_code=204, dependencies=[needs(Action.BASELINE_CHANGE)])
def delete_baseline(series: SeriesDep, session: SessionDep) -> None:
    """Delete a baseline with its points permanently."""
    service.delete(session, series.baseline.id)


@router.get("/{baseline_id}/points/{point_id}", dependencies=[needs(Action.BASELINES_READ)])
def read_baseline_point(point: PointDep) -> PointDocument:
    """Return a point with the costs of its runs and its merged stacks."""
    return PointDocument(
        id=point.id,
        baseline_id=point.baseline_id,
        commit=point.commit,
        measured_at=point.measured_at,
        is_work_known=point.is_work_known,
        comms=point.comms,
        **service.content(point),
    )


@router.delete(
    "/{baseline_id}/points/{point_id}", status_code=204, dependencies=[needs(Action.BASELINE_CHANGE)]
)
def delete_baseline_point(point: PointDep, session: SessionDep) -> None:
    """Delete a point permanently, and its baseline with the last one."""
    service.delete_point(session, point)


@router.get(
    "/{baseline_id}/points/{point_id}/diff",
    response_model=DiffRead,
    dependencies=[needs(Action.BASELINES_READ)],
)
async def read_baseline_diff(
    point: PointDep,
    session: SessionDep,
    principal: PrincipalDep,
    request: Request,
    base: Annotated[UUID, Query(description="The base point, of the same baseline")],
    options: DiffOptionsDep,
) -> Response:
    """Return the merged stacks of this point and a base as one diff tree with the weights in both."""
    before = await run_in_threadpool(queries.point, session, principal, point.baseline_id, base)
    forks = request.app.state.forks
    return await caching.respond(
        request,
        session,
        f"{point.id} {before.id}",
        f"baseline diff {options}",
        lambda: trends.diff(forks, before, point, **options._asdict()),
    )
