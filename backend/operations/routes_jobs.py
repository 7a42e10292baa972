"""What was and is being done about a case, by whom, and what went wrong."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from backend.accounts.access import SessionDep
from backend.cases.access import CaseDep
from backend.core.job import JobState
from backend.operations import queries

router = APIRouter(tags=["operations"])


class JobRead(BaseModel):
    """One piece of work; `worker` is the process that did it last, `host:pid`, "" before any did."""

    model_config = ConfigDict(from_attributes=True)

    id: UUID
    kind: str
    subject_id: UUID | None
    queue: str
    state: JobState
    attempt: int
    worker: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    last_error: str


@router.get("/cases/{case_id}/jobs")
def list_jobs(
    case: CaseDep, session: SessionDep, limit: Annotated[int, Query(ge=1, le=1000)] = 200
) -> list[JobRead]:
    """Return the newest jobs about the case and its evidence, newest first."""
    return [JobRead.model_validate(job) for job in queries.jobs_of_case(session, case.id, limit=limit)]
