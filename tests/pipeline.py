"""A worker and a reaper at work on a database of their own."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core.jobs.job import Job, JobState
from backend.core.sessions import create_sessions
from backend.core.storage.object_store import Store
from backend.core.supervisor.processes import Program
from tests.cluster import own
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.supervisor.processes import Child
    from backend.core.supervisor.supervisor import Supervisor

PIPELINE_SECONDS = 600


@dataclass(frozen=True)
class Pipeline:
    """A whole service but for the web application: what is enqueued here gets done."""

    settings: Settings
    sessions: sessionmaker[Session]
    store: Store
    log_dir: Path
    worker: Child

    def wait(self, job_id: UUID, *, seconds: float = PIPELINE_SECONDS) -> Job:
        """Return the job once it is done or set aside."""

        def has_ended() -> bool:
            with self.sessions() as session:
                return session.get_one(Job, job_id).state in {JobState.DONE, JobState.FAILED}

        until(has_ended, seconds=seconds, every=0.05, output=self._logs)
        with self.sessions() as session:
            return session.get_one(Job, job_id)

    def wait_idle(self, *, seconds: float = PIPELINE_SECONDS) -> None:
        """Return once nothing is queued or running."""
        waiting = select(Job.id).where(Job.state.in_([JobState.QUEUED, JobState.RUNNING])).limit(1)

        def is_idle() -> bool:
            with self.sessions() as session:
                return session.scalar(waiting) is None

        until(is_idle, seconds=seconds, every=0.05, output=self._logs)

    @contextmanager
    def stopped_worker(self) -> Iterator[None]:
        """Let jobs queue up: the processes of the worker stand still until the block ends."""
        os.killpg(self.worker.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self.worker.pid, signal.SIGCONT)

    def _logs(self) -> str:
        logs = self.log_dir.glob("test-*.log")
        return "\n".join(log.read_text(errors="replace")[-3000:] for log in logs)


@contextmanager
def at_work(settings: Settings, running: Supervisor, log_dir: Path) -> Iterator[Pipeline]:
    """Yield a pipeline on the database and broker of `settings`; its processes end with the block."""
    environment = {
        "CASEBOOK_DATA_DIR": str(settings.data_dir),
        "CASEBOOK_DATABASE_URL": settings.effective_database_url,
        "CASEBOOK_BROKER_URL": settings.effective_broker_url,
        "CASEBOOK_REAPER_SECONDS": str(settings.reaper_seconds),
    }
    for directory in (settings.staging_dir, settings.scratch_dir):
        directory.mkdir()
    own(settings)
    children = running.start(
        [
            Program("test-worker", [sys.executable, "-m", "cli", "worker"], environment),
            Program("test-reaper", [sys.executable, "-m", "cli", "reap"], environment),
        ]
    )
    sessions = create_sessions(settings)
    yield Pipeline(settings, sessions, Store.open(settings), log_dir, children[0])
    for child in children:
        child.stop()
    sessions.kw["bind"].dispose()
