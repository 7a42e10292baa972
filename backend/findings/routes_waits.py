"""Endpoints of the wait graph: which task blocks the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, StoreDep, needs
from backend.cases.access import CaseDep
from backend.core.http.computing import compute
from backend.findings import waits
from backend.findings.schemas_waits import WaitsRead

if TYPE_CHECKING:
    from collections.abc import Callable

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
async def export_waits(
    request: Request,
    case: CaseDep,
    session: SessionDep,
    store: StoreDep,
    format: Annotated[Literal["svg", "mermaid", "text"], Query(description="Kind of file")] = "text",  # noqa: A002 - the name in the URL
    host: Annotated[str, Query(max_length=255, description="Host of the graph")] = "",
    phase: Literal["before", "during", "after"] = "during",
) -> Response:
    """Return one wait graph as SVG, Mermaid flow chart or text."""
    settings, number = request.app.state.settings, case.number

    def asked() -> Callable[[], waits.Export]:
        draw = waits.export(settings, session, store, case, format, host=host, phase=phase)
        session.commit()
        return draw

    made = await compute(request, await run_in_threadpool(asked))
    filename = f"wait-graph-{number}.{made.suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return Response(made.content, media_type=made.media_type, headers=headers)
