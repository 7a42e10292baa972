"""Response schemas of health and jobs."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from backend.core.http.request_body import RequestBody
from backend.core.jobs.job import JobState

Work = Literal["reading", "judging", "preparing"]
"""What people see jobs do."""


class Health(BaseModel):
    """Service health for load balancers."""

    status: Literal["ok"]
    version: str


class QueueStatus(BaseModel):
    """Waiting and running jobs of one queue.

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


class SandboxStatus(BaseModel):
    """The sandbox of one machine that reads evidence.

    `files` names what keeps other files from a parser: Landlock, or a mount namespace; `missing` are features
    that its kernel does not grant, `policy` is its `CASEBOOK_SANDBOX`.
    """

    host: str
    kernel: str
    policy: Literal["best", "required"]
    files: Literal["landlock", "mount namespace"]
    landlock: int
    network_namespace: bool
    seccomp: bool
    is_complete: bool
    missing: list[str]
    reported_at: datetime


class Status(BaseModel):
    """Service status for operators.

    `process` is the responding process, `host:pid`, as in `worker` of a job; `failed_jobs` are those of the
    admins' list; `sandboxes` are those of the machines with workers.
    """

    version: str
    process: str
    queues: list[QueueStatus]
    failed_jobs: int
    sandboxes: list[SandboxStatus]


class JobRead(BaseModel):
    """One job; `worker` is the process that ran it last, `host:pid`, "" before the first run."""

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


class JobsCancel(RequestBody):
    """Which open jobs of a case to cancel: those that do `work`, of one evidence or handoff or of all."""

    work: Work
    subject_id: UUID | None = None


class JobsCancelled(BaseModel):
    """How many jobs were cancelled; 0 when they had ended."""

    cancelled: int


class FailedJobRead(BaseModel):
    """A job that failed in all its attempts.

    `error_number` is what the log of the service has with the cause (`reported as`), `failure` the class of
    the error, empty where its workers were lost. `case_number` is that of its subject, `evidence_id` is set
    if that is evidence.
    """

    id: UUID
    kind: str
    queue: str
    attempt: int
    created_at: datetime
    failed_at: datetime | None
    case_number: int | None
    evidence_id: UUID | None
    error_number: str
    failure: str


class FailedJobsSelect(RequestBody):
    """Failed jobs to change: those of `ids`, or all of them with null."""

    ids: list[UUID] | None = Field(max_length=1000)


class FailedJobsChanged(BaseModel):
    """How many failed jobs were changed, and how many are left: one request changes at most 1,000."""

    changed: int
    left: int
