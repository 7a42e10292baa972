"""The state of the system, as one process sees it."""

from __future__ import annotations

import json
import platform
import shutil
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError
from sqlalchemy import func, select, text

from backend.core.db import migrate
from backend.core.db.instance import Instance
from backend.core.jobs.job import Job, JobState
from backend.core.jobs.runner import worker_name
from backend.core.version import VERSION
from backend.models import Blob
from backend.operations import outbox_state, queries, sandbox_reports
from backend.operations.backup import last_backup
from backend.operations.schemas import QueueStatus
from backend.operations.schemas_system import (
    BackupState,
    ComponentRead,
    DatabaseState,
    DiskState,
    EngineState,
    OutboxState,
    ProcessRead,
    RunningJob,
    StoreState,
    SystemRead,
)
from signatures.engines import configured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.orm import Session

    from backend.core.http.probes import Result
    from backend.core.settings import Settings

MAX_RUNNING = 100


def describe(session: Session, settings: Settings, probed: Mapping[str, Result]) -> SystemRead:
    """Return the state of the system; `probed` are the results of the probes by component."""
    usage = shutil.disk_usage(settings.data_dir)
    blobs, size_bytes = session.execute(
        select(func.count(), func.coalesce(func.sum(Blob.size_bytes), 0)).select_from(Blob)
    ).one()
    return SystemRead(
        version=VERSION,
        python=platform.python_version(),
        kernel=platform.release(),
        instance=session.scalar(select(Instance.id)),
        process=worker_name(),
        components=[
            ComponentRead(name=name, is_ok=one.is_ok, detail=one.detail) for name, one in probed.items()
        ],
        queues=[QueueStatus.model_validate(one) for one in queries.open_jobs_by_queue(session)],
        failed_jobs=queries.count_failed(session),
        running=_running(session),
        processes=processes(settings),
        sandboxes=[sandbox_reports.describe(host) for host in sandbox_reports.hosts(session)],
        database=_database(session),
        store=StoreState(
            kind="S3" if settings.store_url.startswith("s3") else "directory",
            blobs=blobs,
            size_bytes=size_bytes,
        ),
        disk=DiskState(
            total_bytes=usage.total, free_bytes=usage.free, reserved_bytes=settings.min_free_bytes
        ),
        backup=backup_of(settings),
        outbox=outbox_of(session),
        engines=[
            EngineState(name=one.name, state=getattr(configured(), one.name)) for one in fields(configured())
        ],
    )


def processes(settings: Settings) -> list[ProcessRead]:
    """Return the processes of `casebook serve` on this machine; none where it was started otherwise."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        read = json.loads((settings.run_dir / "processes.json").read_text("utf-8"))
        return [
            ProcessRead(name=row["name"], pid=row["pid"], is_running=Path(f"/proc/{row['pid']}").exists())
            for row in read["processes"]
        ]
    return []


def backup_of(settings: Settings) -> BackupState | None:
    """Return the last backup of this data directory."""
    stored = last_backup.read(settings.data_dir)
    with suppress(ValidationError):
        return BackupState.model_validate(stored) if stored else None
    return None


def outbox_of(session: Session) -> OutboxState:
    """Return what waits to be sent to other services."""
    found = outbox_state.read(session)
    return OutboxState(
        waiting=found.unsent + found.pending, held=found.held, oldest_seconds=found.oldest_seconds
    )


def _running(session: Session) -> list[RunningJob]:
    seconds = func.extract("epoch", func.now() - Job.started_at)
    query = select(Job.worker, Job.kind, Job.queue, Job.subject_id, func.coalesce(seconds, 0))
    rows = session.execute(
        query.where(Job.state == JobState.RUNNING).order_by(Job.started_at, Job.id).limit(MAX_RUNNING)
    ).all()
    subjects = queries.subjects_of(session, [row.subject_id for row in rows if row.subject_id])
    return [
        RunningJob(
            worker=worker,
            kind=kind,
            queue=queue,
            case_number=subjects[subject_id][0] if subject_id in subjects else None,
            running_seconds=max(float(ran), 0.0),
        )
        for worker, kind, queue, subject_id, ran in rows
    ]


def _database(session: Session) -> DatabaseState:
    size, used, allowed, version = session.execute(
        text(
            "select pg_database_size(current_database()),"
            " (select count(*) from pg_stat_activity where datname = current_database()),"
            " current_setting('max_connections')::int, current_setting('server_version')"
        )
    ).one()
    return DatabaseState(
        version=version,
        migration=migrate.revision_of(session.connection()),
        size_bytes=size,
        connections=used,
        max_connections=allowed,
    )
