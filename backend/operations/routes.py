"""Health endpoints: database, process, queue lengths."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.core.errors import UnavailableError
from backend.core.http.probes import Probes
from backend.core.jobs.runner import worker_name
from backend.core.version import VERSION
from backend.operations import queries, sandbox_reports
from backend.operations.schemas import Health, QueueStatus, Status

router = APIRouter(tags=["operations"])


@router.get("/health", dependencies=[needs(Action.ENTER)])
async def read_health(request: Request, response: Response) -> Health:
    """Check the database, even when all request slots are in use."""
    probes: Probes = request.app.state.probes
    found = await probes.database.result()
    if not found.is_ok:
        raise UnavailableError(found.detail)
    response.headers["Cache-Control"] = "no-store"
    return Health(status="ok", version=VERSION)


@router.get("/status", dependencies=[needs(Action.SERVICE_READ)])
def read_status(session: SessionDep, response: Response) -> Status:
    """Return the responding process, the queue lengths and the sandboxes of the workers."""
    response.headers["Cache-Control"] = "no-store"
    queues = [QueueStatus.model_validate(one) for one in queries.open_jobs_by_queue(session)]
    sandboxes = [sandbox_reports.describe(host) for host in sandbox_reports.hosts(session)]
    return Status(
        version=VERSION,
        process=worker_name(),
        queues=queues,
        failed_jobs=queries.count_failed(session),
        sandboxes=sandboxes,
    )
