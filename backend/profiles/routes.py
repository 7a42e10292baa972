"""Profiles: lists, graphs as columns, subtrees, exemplar lines."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.http.pagination import PageDep
from backend.profiles import caching, queries, service
from backend.profiles.access import KeptDep, MinShare, ProfileDep, SelectionDep
from backend.profiles.schemas import GraphRead, NodeLines, Overview, ProfileRead

router = APIRouter(tags=["profiles"])


@router.get("/cases/{case_id}/profiles", dependencies=[needs(Action.CASE_READ)])
def list_profiles(case: CaseDep, session: SessionDep, page: PageDep) -> list[ProfileRead]:
    """Return the profiles of the case, heaviest first."""
    return queries.profiles_of_case(session, case, page)


@router.get("/profiles/{profile_id}/graph", response_model=GraphRead, dependencies=[needs(Action.CASE_READ)])
def read_graph(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    min_share: Annotated[
        float | None,
        Query(ge=0, le=1, description="Share of what is selected; 0.001, in chronological order 0"),
    ] = None,
    root: Annotated[int | None, Query(ge=0)] = None,
    keep: Annotated[str, Query(max_length=200_000, description="Nodes never pruned, comma separated")] = "",
    order: Literal["left-heavy", "alpha", "time", "chronological"] = "left-heavy",
    inverted: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    compact: bool = False,  # noqa: FBT001, FBT002 - same
) -> Response:
    """Return the call tree in preorder as columns, without what weighs less than `min_share`."""
    tree = service.Tree(
        min_share=min_share if min_share is not None else 0.0 if order == "chronological" else 0.001,
        root=root,
        keep=service.node_list(keep),
        order=order,
        is_inverted=inverted,
        is_compact=compact,
    )
    question = f"{kept.profile_id} graph {selection} {tree}"
    return caching.respond(request, kept.place.digest, question, lambda: service.graph(kept, selection, tree))


@router.get(
    "/profiles/{profile_id}/subtree", response_model=GraphRead, dependencies=[needs(Action.CASE_READ)]
)
def read_subtree(
    kept: KeptDep,
    selection: SelectionDep,
    request: Request,
    node: Annotated[int, Query(ge=0, description="Of an inverted row its leaf")],
    min_share: MinShare = 0.0,
    order: Literal["left-heavy", "alpha", "time"] = "left-heavy",
    inverted: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    depth: Annotated[int, Query(ge=0, le=10_000, description="Depth of an inverted row")] = 0,
    compact: bool = False,  # noqa: FBT001, FBT002 - same
) -> Response:
    """Return everything below one row, for a zoom into what was pruned."""
    tree = service.Tree(
        min_share=min_share,
        root=node,
        depth=depth if inverted else None,
        order=order,
        is_inverted=inverted,
        is_compact=compact,
    )
    question = f"{kept.profile_id} graph {selection} {tree}"
    return caching.respond(request, kept.place.digest, question, lambda: service.graph(kept, selection, tree))


@router.get("/profiles/{profile_id}/whole", response_model=Overview, dependencies=[needs(Action.CASE_READ)])
def read_whole(kept: KeptDep, request: Request) -> Response:
    """Return the truth about the whole recording, and on which CPUs and in which threads it was taken."""
    return caching.respond(
        request, kept.place.digest, f"{kept.profile_id} whole", lambda: service.overview(kept)
    )


@router.get("/profiles/{profile_id}/nodes/{node}/lines", dependencies=[needs(Action.CASE_READ)])
def read_node_lines(kept: KeptDep, selection: SelectionDep, node: int) -> NodeLines:
    """Return lines of the raw evidence where this stack node was printed."""
    return service.node_lines(kept, selection, node)


@router.get("/profiles/{profile_id}", dependencies=[needs(Action.CASE_READ)])
def read_profile(profile: ProfileDep, session: SessionDep) -> ProfileRead:
    """Return one profile."""
    return queries.describe(session, [profile])[0]
