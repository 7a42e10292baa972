"""Response schemas of the state of the system, for admins."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel

from backend.operations.schemas import QueueStatus, SandboxStatus


class ComponentRead(BaseModel):
    """A component as its probe finds it; `detail` is what is wrong."""

    name: str
    is_ok: bool
    detail: str


class ProcessRead(BaseModel):
    """A process that `casebook serve` runs on the responding machine."""

    name: str
    pid: int
    is_running: bool


class RunningJob(BaseModel):
    """A job that a worker runs, and for how many seconds."""

    worker: str
    kind: str
    queue: str
    case_number: int | None
    running_seconds: float


class DatabaseState(BaseModel):
    """The database; `connections` are those of all processes, of `max_connections` that it allows."""

    version: str
    migration: str
    size_bytes: int
    connections: int
    max_connections: int


class StoreState(BaseModel):
    """The object store: where, and what of evidence is in it."""

    kind: Literal["directory", "S3"]
    blobs: int
    size_bytes: int


class DiskState(BaseModel):
    """The disk of the data directory; uploads leave `reserved_bytes` free."""

    total_bytes: int
    free_bytes: int
    reserved_bytes: int


class BackupState(BaseModel):
    """The last backup that `casebook backup` wrote from this data directory.

    `incomplete` counts objects that were missing or damaged.
    """

    made_at: datetime
    directory: str
    cases: int
    objects: int
    size_bytes: int
    incomplete: int


class OutboxState(BaseModel):
    """Events and deliveries to other services that wait, and for how long the oldest has.

    `held`: deliveries of destinations that are disabled, which nobody sends.
    """

    waiting: int
    held: int
    oldest_seconds: float


class EngineState(BaseModel):
    """The switch of an engine that derives statements."""

    name: str
    state: Literal["on", "shadow", "off"]


class SystemRead(BaseModel):
    """The state of the system.

    `backup` is null where none was written; `outbox` where this version has none.
    """

    version: str
    python: str
    kernel: str
    instance: UUID | None
    process: str
    components: list[ComponentRead]
    queues: list[QueueStatus]
    failed_jobs: int
    running: list[RunningJob]
    processes: list[ProcessRead]
    sandboxes: list[SandboxStatus]
    database: DatabaseState
    store: StoreState
    disk: DiskState
    backup: BackupState | None
    outbox: OutboxState
    engines: list[EngineState]
