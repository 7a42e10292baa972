"""Endpoints of inventories of hosts."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.core.errors import TooLargeError
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.core.http.request_body import Line
from backend.core.http.request_limits import streamed
from backend.kernels import inventories
from backend.kernels.inventory_rows import MAX_BYTES, rows_of
from backend.kernels.schemas import InventoryRead, InventoryWritten

router = APIRouter(tags=["kernels"])

JSON = "application/json"
TABLE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "text/csv": {
                "schema": {"type": "string"},
                "example": "host,release,distro,instance_type,cluster\ndb7,6.1.0-18-amd64,Debian 12,m6i,eu\n",
            },
            JSON: {
                "schema": {"type": "array", "items": {"type": "object"}},
                "example": [{"host": "db7", "release": "6.1.0-18-amd64", "cluster": "eu"}],
            },
        },
    }
}
Source = Annotated[Line, Path(min_length=1, max_length=100, description="Name of the source, such as `cmdb`")]
TeamId = Annotated[UUID | None, Query(description="Team that sees it; everybody without one")]


@router.get("/inventories", dependencies=[needs(Action.CASES_LIST)])
def list_inventories(session: SessionDep, principal: PrincipalDep, page: PageDep) -> Listed[InventoryRead]:
    """List the inventories of everybody and of the caller's teams."""
    return page.envelope(inventories.listed(session, principal, page))


@router.put("/inventories/{source}", openapi_extra=TABLE, dependencies=[needs(Action.INVENTORY_WRITE)])
async def replace_inventory(
    source: Source,
    request: Request,
    session: SessionDep,
    principal: PrincipalDep,
    team_id: TeamId = None,
) -> InventoryWritten:
    """Replace the hosts of a source: CSV with a header, or a JSON array. Rows not taken are counted."""
    pieces: list[bytes] = []
    size_bytes = 0
    async for piece in streamed(request):
        size_bytes += len(piece)
        if size_bytes > MAX_BYTES:
            raise TooLargeError(f"an inventory has at most {MAX_BYTES:,} bytes")
        pieces.append(piece)
    is_json = request.headers.get("content-type", "").partition(";")[0].strip() == JSON

    def write() -> InventoryWritten:
        rows = rows_of(b"".join(pieces), is_json=is_json)
        return inventories.replace(session, principal, source, team_id, rows)

    return await run_in_threadpool(write)


@router.delete("/inventories/{source}", status_code=204, dependencies=[needs(Action.INVENTORY_WRITE)])
def delete_inventory(
    source: Source, session: SessionDep, principal: PrincipalDep, team_id: TeamId = None
) -> None:
    """Delete an inventory with its hosts."""
    inventories.remove(session, principal, source, team_id)
