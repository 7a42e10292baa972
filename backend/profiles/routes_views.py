"""Endpoints of other profile views: functions, callers and callees, diff, heat map, lanes."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.profiles import caching, service
from backend.profiles.access import (
    BaseDep,
    DiffOptionsDep,
    JoinNameless,
    MinShare,
    Position,
    ProfileHandleDep,
    Seconds,
    SelectionDep,
)
from backend.profiles.schemas import DiffRead, HeatRead, LanesRead, SandwichRead, TableRead

router = APIRouter(tags=["profiles"])


@router.get("/profiles/{profile_id}/top", response_model=TableRead, dependencies=[needs(Action.CASE_READ)])
async def read_top(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    sort: Literal["self", "total", "name"] = "self",
    descending: bool = True,  # noqa: FBT001, FBT002 - a query parameter
    q: Annotated[str, Query(max_length=500, description="Part of a name, or /regular expression/")] = "",
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """List functions by name with self and total weight."""
    options = {"sort": sort, "is_descending": descending, "query": q, "offset": offset, "limit": limit}
    question = f"{handle.profile_id} top {selection} {options}"
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        question,
        lambda: partial(handle.ask, "table", selection, options=options),
    )


@router.get(
    "/profiles/{profile_id}/sandwich", response_model=SandwichRead, dependencies=[needs(Action.CASE_READ)]
)
async def read_sandwich(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    name: Annotated[str, Query(min_length=1, max_length=10_000)],
    min_share: MinShare = 0.001,
    order: Literal["left-heavy", "alpha", "time"] = "left-heavy",
) -> Response:
    """Return callers and callees of the functions of one name."""
    options = {"min_share": min_share, "order": order}
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        f"{handle.profile_id} sandwich {selection} {min_share} {order} {name}",
        lambda: partial(handle.ask, "sandwich", selection, name=name, options=options),
    )


@router.get("/profiles/{profile_id}/diff", response_model=DiffRead, dependencies=[needs(Action.CASE_READ)])
async def read_diff(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    base: BaseDep,
    options: DiffOptionsDep,
    base_t0: Seconds = None,
    base_t1: Seconds = None,
    base_from_sample: Position = None,
    base_to_sample: Position = None,
) -> Response:
    """Return this profile and a base as one diff tree with the weights in both."""
    before = service.of_base(selection, base_t0, base_t1, base_from_sample, base_to_sample)
    return await caching.respond(
        request,
        session,
        f"{handle.place.digest} {base.place.digest}",
        f"{handle.profile_id} diff {base.profile_id} {selection} {before} {options}",
        lambda: partial(service.diff, handle, base, selection, before, **options._asdict()),
    )


@router.get("/profiles/{profile_id}/heatmap", response_model=HeatRead, dependencies=[needs(Action.CASE_READ)])
async def read_heatmap(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    rows: Annotated[int, Query(ge=1, le=200)] = 50,
    column_seconds: Annotated[float, Query(ge=0.001, le=3600)] = 1.0,
    node: Annotated[
        int | None, Query(ge=0, description="A node, or a command: `part` is what passes through its row")
    ] = None,
    join_nameless: JoinNameless = False,  # noqa: FBT002 - a query parameter
) -> Response:
    """Return the sample counts over time as a heat map: one column per interval."""
    options = {"rows": rows, "column_seconds": column_seconds}
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        f"{handle.profile_id} heat {selection} {rows} {column_seconds} {node} {join_nameless}",
        lambda: partial(
            handle.ask, "heat", selection, options=options, node=node, joins_nameless=join_nameless
        ),
    )


@router.get("/profiles/{profile_id}/lanes", response_model=LanesRead, dependencies=[needs(Action.CASE_READ)])
async def read_lanes(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    by: Literal["cpu", "thread", "all"] | None = None,
    spans: Annotated[
        Literal["thread", "leaf", "stack"], Query(description="Grouping of neighbouring samples")
    ] = "thread",
    gap: Annotated[float | None, Query(gt=0, allow_inf_nan=False)] = None,
    width: Annotated[int, Query(ge=1, le=10_000)] = 2000,
    max_lanes: Annotated[int, Query(ge=1, le=1024)] = 64,
) -> Response:
    """Return spans of neighbouring samples by lane (thread or CPU)."""
    options = {"by": by, "alike": spans, "gap": gap, "width": width, "max_lanes": max_lanes}
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        f"{handle.profile_id} lanes {selection} {options}",
        lambda: partial(handle.ask, "lanes", selection, options=options),
    )
