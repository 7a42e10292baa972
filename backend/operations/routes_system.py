"""The state of the system, for admins."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, SettingsDep, needs
from backend.core.http.probes import Probes, Result
from backend.operations import system
from backend.operations.schemas_system import SystemRead

router = APIRouter(tags=["operations"])


async def get_probed(request: Request) -> dict[str, Result]:
    """Return the results of the readiness probes, by component."""
    probes: Probes = request.app.state.probes
    return await probes.results()


@router.get("/system", dependencies=[needs(Action.ADMINISTER)])
def read_system(
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    probed: Annotated[dict[str, Result], Depends(get_probed)],
) -> SystemRead:
    """Return the state of queues, workers, sandbox, store, database, disk, backup, outbox and engines."""
    response.headers["Cache-Control"] = "no-store"
    return system.describe(session, settings, probed)
