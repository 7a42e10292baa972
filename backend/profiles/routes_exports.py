"""Profiles for other programs: folded stacks, speedscope's JSON."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response

from backend.profiles import caching, exporting
from backend.profiles.access import KeptDep, SelectionDep
from backend.profiles.schemas import Speedscope

router = APIRouter(tags=["profiles"])


@router.get("/profiles/{profile_id}.speedscope.json", response_model=Speedscope)
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
    "/profiles/{profile_id}/folded",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
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
