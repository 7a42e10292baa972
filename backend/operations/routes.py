"""Is the service alive: the database answers and the broker is reached."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel
from sqlalchemy import text

from backend.accounts.access import SessionDep
from backend.core.version import VERSION

router = APIRouter(tags=["operations"])


class Health(BaseModel):
    """The state of the service as a load balancer asks for it."""

    status: Literal["ok"]
    version: str


@router.get("/health")
def read_health(session: SessionDep, response: Response) -> Health:
    """Answer when the database does."""
    session.execute(text("select 1"))
    response.headers["Cache-Control"] = "no-store"
    return Health(status="ok", version=VERSION)
