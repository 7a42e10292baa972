"""Liveness and readiness probes for load balancers and container engines; 404 and 405 of the API.

    GET /healthz   200, always: the process lives and its event loop turns
    GET /readyz    200 or 503: {"status": "unavailable", "components": {"broker": "the broker is unreachable",
    …}}

Neither uses a thread, a connection of the pool or a slot, so both answer while the service is busy.
"""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match

from backend.core.errors import NotFoundError
from backend.core.http.probes import Probes

NO_STORE = {"Cache-Control": "no-store"}
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

router = APIRouter(include_in_schema=False)
absent = APIRouter(include_in_schema=False)
"""Registered after every API route and before the pages."""


@router.get("/healthz")
async def is_alive() -> Response:
    """Answer."""
    return PlainTextResponse("ok\n", headers=NO_STORE)


@router.get("/readyz")
async def is_ready(request: Request) -> Response:
    """Return the readiness of each component."""
    probes: Probes = request.app.state.probes
    found = await probes.results()
    is_ok = all(result.is_ok for result in found.values())
    return JSONResponse(
        {
            "status": "ok" if is_ok else "unavailable",
            "components": {name: result.detail for name, result in found.items()},
        },
        status_code=200 if is_ok else 503,
        headers=NO_STORE if is_ok else {**NO_STORE, "Retry-After": "2"},
    )


@absent.api_route("/api", methods=METHODS)
@absent.api_route("/api/{path:path}", methods=METHODS)
async def is_absent(request: Request) -> None:
    """Respond 404 to unknown API paths and 405 to wrong methods.

    Raises:
        NotFoundError: Unknown path.
        HTTPException: Known path, wrong method (405).
    """
    for route in request.app.router.routes:
        match, _ = route.matches(request.scope)
        if match is Match.PARTIAL:
            raise HTTPException(405)
        if match is Match.FULL:
            break
    raise NotFoundError(f"unknown path {request.url.path}")
