"""Endpoint of signature drafts."""

from __future__ import annotations

from fastapi import APIRouter, Response

from backend.access.actions import Action
from backend.access.dependencies import needs
from backend.findings import drafts
from backend.profiles.access import ProfileHandleDep

router = APIRouter(tags=["findings"])


@router.get(
    "/profiles/{profile_id}/nodes/{node}/signature.yaml",
    response_class=Response,
    responses={200: {"content": {"application/yaml": {}}}},
    dependencies=[needs(Action.CASE_READ)],
)
def draft_signature(handle: ProfileHandleDep, node: int) -> Response:
    """Return a signature draft that matches the function of this node below its caller."""
    name, text = drafts.of_node(handle, node)
    filename = f"{name.rpartition('/')[2]}.signature.yaml"
    return Response(
        text,
        media_type="application/yaml",
        headers={"Content-Disposition": f'attachment; filename="{filename}"'},
    )
