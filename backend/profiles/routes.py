"""Endpoints of profiles: lists, call trees as columns, subtrees, exemplar lines."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.profiles import caching, queries, service
from backend.profiles.access import MinShare, ProfileDep, ProfileHandleDep, SelectionDep
from backend.profiles.schemas import GraphRead, NodeLines, Overview, ProfileRead

router = APIRouter(tags=["profiles"])


@router.get("/cases/{case_id}/profiles", dependencies=[needs(Action.CASE_READ)])
def list_profiles(case: CaseDep, session: SessionDep, page: PageDep) -> Listed[ProfileRead]:
    """List the profiles of the case, heaviest first."""
    return page.envelope(queries.profiles_of_case(session, case, page))


@router.get("/profiles/{profile_id}/graph", response_model=GraphRead, dependencies=[needs(Action.CASE_READ)])
def read_graph(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    min_share: Annotated[
        float | None,
        Query(ge=0, le=1, description="Share of the selection; default 0.001, or 0 in chronological order"),
    ] = None,
    root: Annotated[int | None, Query(ge=0)] = None,
    keep: Annotated[str, Query(max_length=200_000, description="Nodes never pruned, comma separated")] = "",
    order: Literal["left-heavy", "alpha", "time", "chronological"] = "left-heavy",
    inverted: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    compact: bool = False,  # noqa: FBT001, FBT002 - same
) -> Response:
    """Return the call tree in preorder as columns, without nodes below `min_share`."""
    tree = service.Tree(
        min_share=min_share if min_share is not None else 0.0 if order == "chronological" else 0.001,
        root=root,
        keep=service.node_list(keep),
        order=order,
        is_inverted=inverted,
        is_compact=compact,
    )
    question = f"{handle.profile_id} graph {selection} {tree}"
    return caching.respond(
        request, handle.place.digest, question, lambda: service.graph(handle, selection, tree)
    )


@router.get(
    "/profiles/{profile_id}/subtree", response_model=GraphRead, dependencies=[needs(Action.CASE_READ)]
)
def read_subtree(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    node: Annotated[int, Query(ge=0, description="The leaf of an inverted row")],
    min_share: MinShare = 0.0,
    order: Literal["left-heavy", "alpha", "time"] = "left-heavy",
    inverted: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    depth: Annotated[int, Query(ge=0, le=10_000, description="Depth of an inverted row")] = 0,
    compact: bool = False,  # noqa: FBT001, FBT002 - same
) -> Response:
    """Return everything below one row, to zoom into a pruned subtree."""
    tree = service.Tree(
        min_share=min_share,
        root=node,
        depth=depth if inverted else None,
        order=order,
        is_inverted=inverted,
        is_compact=compact,
    )
    question = f"{handle.profile_id} graph {selection} {tree}"
    return caching.respond(
        request, handle.place.digest, question, lambda: service.graph(handle, selection, tree)
    )


@router.get("/profiles/{profile_id}/whole", response_model=Overview, dependencies=[needs(Action.CASE_READ)])
def read_whole(handle: ProfileHandleDep, request: Request) -> Response:
    """Return the summary of the whole recording with its CPUs and threads."""
    return caching.respond(
        request, handle.place.digest, f"{handle.profile_id} whole", lambda: service.overview(handle)
    )


@router.get("/profiles/{profile_id}/nodes/{node}/lines", dependencies=[needs(Action.CASE_READ)])
def read_node_lines(handle: ProfileHandleDep, selection: SelectionDep, node: int) -> NodeLines:
    """Return exemplar lines of this stack node in the raw evidence."""
    return service.node_lines(handle, selection, node)


@router.get("/profiles/{profile_id}", dependencies=[needs(Action.CASE_READ)])
def read_profile(profile: ProfileDep, session: SessionDep) -> ProfileRead:
    """Return one profile."""
    return queries.describe(session, [profile])[0]
