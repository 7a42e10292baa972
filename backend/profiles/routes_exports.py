"""Profiles for other programs: folded stacks, speedscope's JSON, the Firefox Profiler's, a picture."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import needs
from backend.profiles import caching, exporting
from backend.profiles.access import KeptDep, MinShare, SelectionDep
from backend.profiles.schemas import FirefoxProfile, Speedscope

router = APIRouter(tags=["profiles"])


@router.get(
    "/profiles/{profile_id}.speedscope.json",
    response_model=Speedscope,
    dependencies=[needs(Action.CASE_EXPORT)],
)
def export_speedscope(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    download: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Response:
    """Return the profile in speedscope's file format."""
    return caching.respond(
        request,
        kept.place.digest,
        f"{kept.ordinal} speedscope {selection} {kept.place.evidence_name}",
        lambda: exporting.speedscope(kept, selection),
        headers=exporting.disposition(kept, "speedscope.json", is_download=download),
    )


@router.get(
    "/profiles/{profile_id}.firefox.json",
    response_model=FirefoxProfile,
    dependencies=[needs(Action.CASE_EXPORT)],
)
def export_firefox(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    download: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Response:
    """Return the profile in the Firefox Profiler's own format."""
    return caching.respond(
        request,
        kept.place.digest,
        f"{kept.ordinal} firefox {selection} {kept.place.evidence_name}",
        lambda: exporting.firefox(kept, selection),
        headers=exporting.disposition(kept, "firefox.json", is_download=download),
    )


@router.get(
    "/profiles/{profile_id}.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
def export_svg(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    width: Annotated[int, Query(ge=400, le=4000)] = 1200,
    order: Literal["left-heavy", "alpha", "time"] = "left-heavy",
    inverted: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    min_share: MinShare = 0.0,
    download: bool = False,  # noqa: FBT001, FBT002 - same
) -> Response:
    """Return the call tree as a picture without script."""
    asked = {"width": width, "order": order, "is_inverted": inverted, "min_share": min_share}
    return caching.respond(
        request,
        kept.place.digest,
        f"{kept.ordinal} svg {selection} {asked} {kept.place.evidence_name}",
        lambda: exporting.picture(kept, selection, **asked),
        media_type="image/svg+xml",
        headers=exporting.disposition(kept, "svg", is_download=download),
    )


@router.get(
    "/profiles/{profile_id}/folded",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
def export_folded(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    weight: Literal["own", "samples", "period"] = "samples",
    download: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Response:
    """Return `frame;frame weight` lines."""
    return caching.respond(
        request,
        kept.place.digest,
        f"{kept.ordinal} folded {selection} {weight}",
        lambda: exporting.folded(kept, selection, weight="samples" if weight == "samples" else "period"),
        media_type="text/plain; charset=utf-8",
        headers=exporting.disposition(kept, "folded.txt", is_download=download),
    )
