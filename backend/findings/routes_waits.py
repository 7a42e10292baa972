"""Endpoints of the wait graph: which task blocks the others."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, StoreDep, needs
from backend.cases.access import CaseDep
from backend.findings import waits
from backend.findings.schemas_waits import WaitsRead

router = APIRouter(tags=["findings"])


@router.get("/cases/{case_id}/waits", dependencies=[needs(Action.CASE_READ)])
def read_waits(case: CaseDep, session: SessionDep) -> WaitsRead:
    """Return the wait graph of every host and phase: tasks, what they wait for, root blockers."""
    return waits.of_case(session, case)


@router.get(
    "/cases/{case_id}/waits/export",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}, "text/plain": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
def export_waits(
    request: Request,
    case: CaseDep,
    session: SessionDep,
    store: StoreDep,
    format: Annotated[Literal["svg", "mermaid", "text"], Query(description="Kind of file")] = "text",  # noqa: A002 - the name in the URL
    host: Annotated[str, Query(max_length=255, description="Host of the graph")] = "",
    phase: Literal["before", "during", "after"] = "during",
) -> Response:
    """Return one wait graph as SVG, Mermaid flow chart or text."""
    made = waits.export(request.app.state.settings, session, store, case, format, host=host, phase=phase)
    filename = f"wait-graph-{case.number}.{made.suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return Response(made.content, media_type=made.media_type, headers=headers)
