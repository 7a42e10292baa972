"""What the service says about itself and its work."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from backend.core.jobs.job import JobState


class Health(BaseModel):
    """The state of the service as a load balancer asks for it."""

    status: Literal["ok"]
    version: str


class QueueStatus(BaseModel):
    """How many jobs of one queue wait and run.

    `senders` is how many accounts and guests have jobs that wait, `oldest_seconds` for how long the oldest
    has been due, and `demoted` how many of all were too slow for the light queue.
    """

    model_config = ConfigDict(from_attributes=True)

    name: str
    queued: int
    running: int
    senders: int
    oldest_seconds: float
    demoted: int


class Status(BaseModel):
    """The state of the service as the person who runs it asks for it.

    `process` is the process that answered, `host:pid`, in the form in which a job names its worker.
    """

    version: str
    process: str
    queues: list[QueueStatus]


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
