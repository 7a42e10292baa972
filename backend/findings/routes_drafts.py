"""First drafts of signatures."""

from __future__ import annotations

from fastapi import APIRouter, Response

from backend.access.actions import Action
from backend.access.dependencies import needs
from backend.findings import drafts
from backend.profiles.access import KeptDep

router = APIRouter(tags=["findings"])


@router.get(
    "/profiles/{profile_id}/nodes/{node}/signature.yaml",
    response_class=Response,
    responses={200: {"content": {"application/yaml": {}}}},
    dependencies=[needs(Action.CASE_READ)],
)
def draft_signature(kept: KeptDep, node: int) -> Response:
    """Return a draft of a signature that asks for the function of this node below its caller."""
    name, text = drafts.of_node(kept, node)
    filename = f"{name.rpartition('/')[2]}.signature.yaml"
    return Response(
        text,
        media_type="application/yaml",
        headers={"Content-Disposition": f'attachment; filename="{filename}"'},
    )
