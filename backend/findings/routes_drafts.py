"""Endpoint of signature drafts."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.core.http.computing import compute
from backend.findings import drafts
from backend.profiles.access import ProfileHandleDep

router = APIRouter(tags=["findings"])


@router.get(
    "/profiles/{profile_id}/nodes/{node}/signature.yaml",
    response_class=Response,
    responses={200: {"content": {"application/yaml": {}}}},
    dependencies=[needs(Action.CASE_READ)],
)
async def draft_signature(
    handle: ProfileHandleDep, node: int, request: Request, session: SessionDep
) -> Response:
    """Return a signature draft that matches the function of this node below its caller."""
    await run_in_threadpool(session.commit)
    name, text = await compute(request, partial(drafts.of_node, handle, node))
    filename = f"{name.rpartition('/')[2]}.signature.yaml"
    return Response(
        text,
        media_type="application/yaml",
        headers={"Content-Disposition": f'attachment; filename="{filename}"'},
    )
