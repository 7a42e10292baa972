"""Endpoints of profiles: lists, call trees as columns, subtrees, exemplar lines."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.profiles import caching, queries, service
from backend.profiles.access import (
    ByCommand,
    JoinNameless,
    MinShare,
    ProfileDep,
    ProfileHandleDep,
    SelectionDep,
)
from backend.profiles.schemas import GraphRead, NodeLines, Overview, ProfileRead
from ingest.model.selection import EVERYTHING

router = APIRouter(tags=["profiles"])


@router.get("/cases/{case_id}/profiles", dependencies=[needs(Action.CASE_READ)])
def list_profiles(case: CaseDep, session: SessionDep, page: PageDep) -> Listed[ProfileRead]:
    """List the profiles of the case, heaviest first."""
    return page.envelope(queries.profiles_of_case(session, case, page))


@router.get("/profiles/{profile_id}/graph", response_model=GraphRead, dependencies=[needs(Action.CASE_READ)])
async def read_graph(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    min_share: Annotated[
        float | None,
        Query(ge=0, le=1, description="Share of the selection; default 0.001, or 0 in chronological order"),
    ] = None,
    root: Annotated[int | None, Query(ge=0)] = None,
    keep: Annotated[str, Query(max_length=200_000, description="Nodes never pruned, comma separated")] = "",
    order: Literal["left-heavy", "alpha", "time", "chronological"] = "left-heavy",
    inverted: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    compact: bool = False,  # noqa: FBT001, FBT002 - same
    by_command: ByCommand = False,  # noqa: FBT002 - same
    join_nameless: JoinNameless = False,  # noqa: FBT002 - same
) -> Response:
    """Return the call tree in preorder as columns, without nodes below `min_share`."""
    tree = service.Tree(
        min_share=min_share if min_share is not None else 0.0 if order == "chronological" else 0.001,
        root=root,
        keep=service.node_list(keep),
        order=order,
        is_inverted=inverted,
        is_compact=compact,
        is_by_command=by_command,
        joins_nameless=join_nameless,
    )
    question = f"{handle.profile_id} graph {selection} {tree}"
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        question,
        lambda: partial(service.graph, handle, selection, tree),
    )


@router.get(
    "/profiles/{profile_id}/subtree", response_model=GraphRead, dependencies=[needs(Action.CASE_READ)]
)
async def read_subtree(
    handle: ProfileHandleDep,
    selection: SelectionDep,
    request: Request,
    session: SessionDep,
    node: Annotated[int, Query(ge=0, description="The leaf of an inverted row")],
    min_share: MinShare = 0.0,
    order: Literal["left-heavy", "alpha", "time"] = "left-heavy",
    inverted: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    depth: Annotated[int, Query(ge=0, le=10_000, description="Depth of an inverted row")] = 0,
    compact: bool = False,  # noqa: FBT001, FBT002 - same
    by_command: ByCommand = False,  # noqa: FBT002 - same
    join_nameless: JoinNameless = False,  # noqa: FBT002 - same
) -> Response:
    """Return everything below one row, to zoom into a pruned subtree."""
    tree = service.Tree(
        min_share=min_share,
        root=node,
        depth=depth if inverted else None,
        order=order,
        is_inverted=inverted,
        is_compact=compact,
        is_by_command=by_command,
        joins_nameless=join_nameless,
    )
    question = f"{handle.profile_id} graph {selection} {tree}"
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        question,
        lambda: partial(service.graph, handle, selection, tree),
    )


@router.get("/profiles/{profile_id}/whole", response_model=Overview, dependencies=[needs(Action.CASE_READ)])
async def read_whole(handle: ProfileHandleDep, request: Request, session: SessionDep) -> Response:
    """Return the summary of the whole recording with its CPUs and threads."""
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        f"{handle.profile_id} whole",
        lambda: partial(handle.ask, "overview", EVERYTHING, what="the summary"),
    )


@router.get(
    "/profiles/{profile_id}/nodes/{node}/lines",
    response_model=NodeLines,
    dependencies=[needs(Action.CASE_READ)],
)
async def read_node_lines(
    handle: ProfileHandleDep, selection: SelectionDep, node: int, request: Request, session: SessionDep
) -> Response:
    """Return exemplar lines of this stack node in the raw evidence."""
    evidence_id = str(handle.place.evidence_id)
    return await caching.respond(
        request,
        session,
        handle.place.digest,
        f"{evidence_id} {handle.ordinal} lines {selection} {node}",
        lambda: partial(handle.ask, "node lines", selection, node=node, evidence_id=evidence_id),
    )


@router.get("/profiles/{profile_id}", dependencies=[needs(Action.CASE_READ)])
def read_profile(profile: ProfileDep, session: SessionDep) -> ProfileRead:
    """Return one profile."""
    return queries.describe(session, [profile])[0]
