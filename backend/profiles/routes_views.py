"""Other looks at a profile: functions by name, callers and callees, differences, samples in time."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import needs
from backend.profiles import caching, service
from backend.profiles.access import BaseDep, KeptDep, MinShare, Position, Seconds, SelectionDep
from backend.profiles.schemas import DiffRead, HeatRead, LanesRead, SandwichRead, TableRead

router = APIRouter(tags=["profiles"])


@router.get("/profiles/{profile_id}/top", response_model=TableRead, dependencies=[needs(Action.CASE_READ)])
def read_top(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    sort: Literal["self", "total", "name"] = "self",
    descending: bool = True,  # noqa: FBT001, FBT002 - a query parameter
    q: Annotated[str, Query(max_length=500, description="Part of a name, or /regular expression/")] = "",
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Return functions by name with their own weight and that of all samples that pass through them."""
    asked = {"sort": sort, "is_descending": descending, "query": q, "offset": offset, "limit": limit}
    question = f"{kept.profile_id} top {selection} {asked}"
    return caching.respond(
        request, kept.place.digest, question, lambda: service.table(kept, selection, **asked)
    )


@router.get(
    "/profiles/{profile_id}/sandwich", response_model=SandwichRead, dependencies=[needs(Action.CASE_READ)]
)
def read_sandwich(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    name: Annotated[str, Query(min_length=1, max_length=10_000)],
    min_share: MinShare = 0.001,
    order: Literal["left-heavy", "alpha", "time"] = "left-heavy",
) -> Response:
    """Return who calls the functions of one name, and what they call."""
    return caching.respond(
        request,
        kept.place.digest,
        f"{kept.profile_id} sandwich {selection} {min_share} {order} {name}",
        lambda: service.sandwich(kept, selection, name, min_share=min_share, order=order),
    )


@router.get("/profiles/{profile_id}/diff", response_model=DiffRead, dependencies=[needs(Action.CASE_READ)])
def read_diff(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    base: BaseDep,
    base_t0: Seconds = None,
    base_t1: Seconds = None,
    base_from_sample: Position = None,
    base_to_sample: Position = None,
    min_share: MinShare = 0.001,
    min_delta: Annotated[float, Query(ge=0, le=1)] = 0.0,
    order: Literal["left-heavy", "alpha", "delta"] = "left-heavy",
) -> Response:
    """Return this profile and a base as one tree: what every path weighs in both, how its share changed."""
    before = service.of_base(selection, base_t0, base_t1, base_from_sample, base_to_sample)
    asked = {"min_share": min_share, "min_delta": min_delta, "order": order}
    return caching.respond(
        request,
        f"{kept.place.digest} {base.place.digest}",
        f"{kept.profile_id} diff {base.profile_id} {selection} {before} {asked}",
        lambda: service.diff(kept, base, selection, before, **asked),
    )


@router.get("/profiles/{profile_id}/heatmap", response_model=HeatRead, dependencies=[needs(Action.CASE_READ)])
def read_heatmap(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    rows: Annotated[int, Query(ge=1, le=200)] = 50,
    column_seconds: Annotated[float, Query(ge=0.001, le=3600)] = 1.0,
) -> Response:
    """Return how many samples there were when: columns of seconds, rows of parts of them."""
    return caching.respond(
        request,
        kept.place.digest,
        f"{kept.profile_id} heat {selection} {rows} {column_seconds}",
        lambda: service.heat(kept, selection, rows=rows, column_seconds=column_seconds),
    )


@router.get("/profiles/{profile_id}/lanes", response_model=LanesRead, dependencies=[needs(Action.CASE_READ)])
def read_lanes(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    by: Literal["cpu", "thread", "all"] | None = None,
    spans: Annotated[
        Literal["thread", "leaf", "stack"], Query(description="What the samples of a span have in common")
    ] = "thread",
    gap: Annotated[float | None, Query(gt=0, allow_inf_nan=False)] = None,
    width: Annotated[int, Query(ge=1, le=10_000)] = 2000,
    max_lanes: Annotated[int, Query(ge=1, le=1024)] = 64,
) -> Response:
    """Return who ran where and when: spans of neighbouring samples, lane by lane."""
    asked = {"by": by, "alike": spans, "gap": gap, "width": width, "max_lanes": max_lanes}
    return caching.respond(
        request,
        kept.place.digest,
        f"{kept.profile_id} lanes {selection} {asked}",
        lambda: service.lanes(kept, selection, **asked),
    )
