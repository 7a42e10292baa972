"""Export endpoints: folded stacks, speedscope, Firefox Profiler, SVG."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.profiles import caching, exporting
from backend.profiles.access import MinShare, ProfileHandleDep, SelectionDep
from backend.profiles.schemas import FirefoxProfile, Speedscope

router = APIRouter(tags=["profiles"])


@router.get(
    "/profiles/{profile_id}.speedscope.json",
    response_model=Speedscope,
    dependencies=[needs(Action.CASE_EXPORT)],
)
async def export_speedscope(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    download: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Response:
    """Return the profile in the file format of speedscope."""
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        f"{handle.ordinal} speedscope {selection} {handle.place.evidence_name}",
        lambda: partial(handle.ask, "speedscope", selection, what="the export"),
        headers=exporting.disposition(handle, "speedscope.json", is_download=download),
    )


@router.get(
    "/profiles/{profile_id}.firefox.json",
    response_model=FirefoxProfile,
    dependencies=[needs(Action.CASE_EXPORT)],
)
async def export_firefox(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    download: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Response:
    """Return the profile in the format of the Firefox Profiler."""
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        f"{handle.ordinal} firefox {selection} {handle.place.evidence_name}",
        lambda: partial(handle.ask, "firefox", selection, what="the export"),
        headers=exporting.disposition(handle, "firefox.json", is_download=download),
    )


@router.get(
    "/profiles/{profile_id}.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
async def export_svg(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    width: Annotated[int, Query(ge=400, le=4000)] = 1200,
    order: Literal["left-heavy", "alpha", "time"] = "left-heavy",
    inverted: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    min_share: MinShare = 0.0,
    download: bool = False,  # noqa: FBT001, FBT002 - same
) -> Response:
    """Return the call tree as SVG without script."""
    options = {"width": width, "order": order, "is_inverted": inverted, "min_share": min_share}
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        f"{handle.ordinal} svg {selection} {options} {handle.place.evidence_name}",
        lambda: partial(handle.ask, "picture", selection, what="the export", options=options),
        media_type="image/svg+xml",
        headers=exporting.disposition(handle, "svg", is_download=download),
    )


@router.get(
    "/profiles/{profile_id}/folded",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
async def export_folded(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    weight: Literal["own", "samples", "period"] = "samples",
    download: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Response:
    """Return `frame;frame weight` lines."""
    taken = "samples" if weight == "samples" else "period"
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        f"{handle.ordinal} folded {selection} {weight}",
        lambda: partial(handle.ask, "folded", selection, what="the export", weight=taken),
        media_type="text/plain; charset=utf-8",
        headers=exporting.disposition(handle, "folded.txt", is_download=download),
    )
