"""How the service does: is it alive, which process answers, how much work waits."""

from __future__ import annotations

from fastapi import APIRouter, Response
from sqlalchemy import text

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.core.jobs import WORKER
from backend.core.version import VERSION
from backend.operations import queries
from backend.operations.schemas import Health, QueueStatus, Status

router = APIRouter(tags=["operations"])


@router.get("/health", dependencies=[needs(Action.ENTER)])
def read_health(session: SessionDep, response: Response) -> Health:
    """Answer when the database does."""
    session.execute(text("select 1"))
    response.headers["Cache-Control"] = "no-store"
    return Health(status="ok", version=VERSION)


@router.get("/status", dependencies=[needs(Action.SERVICE_READ)])
def read_status(session: SessionDep, response: Response) -> Status:
    """Return which process answers and how much work waits and runs."""
    response.headers["Cache-Control"] = "no-store"
    queues = [QueueStatus.model_validate(one) for one in queries.open_jobs_by_queue(session)]
    return Status(version=VERSION, process=WORKER, queues=queues)
