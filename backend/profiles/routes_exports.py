"""Export endpoints: folded stacks, speedscope, Firefox Profiler, SVG."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import needs
from backend.profiles import caching, exporting
from backend.profiles.access import MinShare, ProfileHandleDep, SelectionDep
from backend.profiles.schemas import FirefoxProfile, Speedscope

router = APIRouter(tags=["profiles"])


@router.get(
    "/profiles/{profile_id}.speedscope.json",
    response_model=Speedscope,
    dependencies=[needs(Action.CASE_EXPORT)],
)
def export_speedscope(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    download: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Response:
    """Return the profile in the file format of speedscope."""
    return caching.respond(
        request,
        handle.place.digest,
        f"{handle.ordinal} speedscope {selection} {handle.place.evidence_name}",
        lambda: exporting.speedscope(handle, selection),
        headers=exporting.disposition(handle, "speedscope.json", is_download=download),
    )


@router.get(
    "/profiles/{profile_id}.firefox.json",
    response_model=FirefoxProfile,
    dependencies=[needs(Action.CASE_EXPORT)],
)
def export_firefox(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    download: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Response:
    """Return the profile in the format of the Firefox Profiler."""
    return caching.respond(
        request,
        handle.place.digest,
        f"{handle.ordinal} firefox {selection} {handle.place.evidence_name}",
        lambda: exporting.firefox(handle, selection),
        headers=exporting.disposition(handle, "firefox.json", is_download=download),
    )


@router.get(
    "/profiles/{profile_id}.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
def export_svg(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    width: Annotated[int, Query(ge=400, le=4000)] = 1200,
    order: Literal["left-heavy", "alpha", "time"] = "left-heavy",
    inverted: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    min_share: MinShare = 0.0,
    download: bool = False,  # noqa: FBT001, FBT002 - same
) -> Response:
    """Return the call tree as SVG without script."""
    options = {"width": width, "order": order, "is_inverted": inverted, "min_share": min_share}
    return caching.respond(
        request,
        handle.place.digest,
        f"{handle.ordinal} svg {selection} {options} {handle.place.evidence_name}",
        lambda: exporting.picture(handle, selection, **options),
        media_type="image/svg+xml",
        headers=exporting.disposition(handle, "svg", is_download=download),
    )


@router.get(
    "/profiles/{profile_id}/folded",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
def export_folded(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    weight: Literal["own", "samples", "period"] = "samples",
    download: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Response:
    """Return `frame;frame weight` lines."""
    return caching.respond(
        request,
        handle.place.digest,
        f"{handle.ordinal} folded {selection} {weight}",
        lambda: exporting.folded(handle, selection, weight="samples" if weight == "samples" else "period"),
        media_type="text/plain; charset=utf-8",
        headers=exporting.disposition(handle, "folded.txt", is_download=download),
    )
