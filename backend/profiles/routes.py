"""Profiles: graphs as columns, subtrees, folded stacks, speedscope's JSON, exemplar lines."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request, Response

from backend.accounts.access import AccountDep, SessionDep, StoreDep
from backend.cases.access import CaseDep
from backend.models.profile import Profile
from backend.profiles import caching, queries, service
from backend.profiles.schemas import GraphRead, NodeLines, ProfileRead, Speedscope

router = APIRouter(tags=["profiles"])

Order = Literal["left-heavy", "alpha", "time"]


def get_profile(session: SessionDep, _: AccountDep, profile_id: UUID) -> Profile:
    """Return the profile that the URL names."""
    return queries.profile_of_id(session, profile_id)


ProfileDep = Annotated[Profile, Depends(get_profile)]


@router.get("/cases/{case_id}/profiles")
def list_profiles(case: CaseDep, session: SessionDep) -> list[ProfileRead]:
    """Return the profiles of the case, heaviest first."""
    return queries.profiles_of_case(session, case)


@router.get("/profiles/{profile_id}.speedscope.json", response_model=Speedscope)
def export_speedscope(
    profile: ProfileDep, request: Request, session: SessionDep, store: StoreDep
) -> Response:
    """Return the profile in speedscope's file format."""
    place = queries.place_of(session, profile)
    return caching.respond(
        request,
        place.digest,
        f"{profile.ordinal} speedscope",
        lambda: service.speedscope(store, profile, place),
    )


@router.get("/profiles/{profile_id}/graph", response_model=GraphRead)
def read_graph(
    profile: ProfileDep,
    request: Request,
    session: SessionDep,
    store: StoreDep,
    min_share: Annotated[float, Query(ge=0, le=1)] = 0.001,
    root: Annotated[int | None, Query(ge=0)] = None,
    keep: Annotated[str, Query(max_length=200_000, description="Nodes never pruned, comma separated")] = "",
    order: Order = "left-heavy",
    inverted: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Response:
    """Return the call tree in preorder as columns, without what weighs less than `min_share`."""
    place = queries.place_of(session, profile)
    view = service.View(
        min_share=min_share, root=root, keep=service.node_list(keep), order=order, is_inverted=inverted
    )
    return caching.respond(
        request, place.digest, f"{profile.id} {view}", lambda: service.graph(store, profile, place, view)
    )


@router.get("/profiles/{profile_id}/subtree", response_model=GraphRead)
def read_subtree(
    profile: ProfileDep,
    request: Request,
    session: SessionDep,
    store: StoreDep,
    node: Annotated[int, Query(ge=0)],
    min_share: Annotated[float, Query(ge=0, le=1, description="Share of the whole profile")] = 0.0,
    order: Order = "left-heavy",
) -> Response:
    """Return everything below one node, for a zoom into what was pruned."""
    place = queries.place_of(session, profile)
    view = service.View(min_share=min_share, root=node, keep=(), order=order, is_inverted=False)
    return caching.respond(
        request, place.digest, f"{profile.id} {view}", lambda: service.graph(store, profile, place, view)
    )


@router.get(
    "/profiles/{profile_id}/folded",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
def export_folded(
    profile: ProfileDep,
    session: SessionDep,
    store: StoreDep,
    weight: Literal["samples", "period"] = "samples",
) -> Response:
    """Return `frame;frame weight` lines."""
    folded = service.folded(store, profile, queries.place_of(session, profile), weight=weight)
    return Response(
        folded, media_type="text/plain; charset=utf-8", headers={"X-Content-Type-Options": "nosniff"}
    )


@router.get("/profiles/{profile_id}/nodes/{node}/lines")
def read_node_lines(profile: ProfileDep, session: SessionDep, store: StoreDep, node: int) -> NodeLines:
    """Return lines of the raw evidence where this stack node was printed."""
    return service.node_lines(store, profile, queries.place_of(session, profile), node)


@router.get("/profiles/{profile_id}")
def read_profile(profile: ProfileDep, session: SessionDep) -> ProfileRead:
    """Return one profile."""
    return queries.describe(session, [profile])[0]
