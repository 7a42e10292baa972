"""A job runs on one worker at a time: leases, heartbeats, and jobs taken back from dead workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from backend.core.jobs.queue import enqueue, handler
from backend.core.jobs.run import LostLeaseError, Run
from backend.core.jobs.runner import claim, run_job
from backend.models.job import Job, JobState
from backend.operations.reaper import take_back_expired, take_back_orphaned
from tests.backend.core.jobs.job_rows import job, make_due
from tests.waiting import until

if TYPE_CHECKING:
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

NO_PID = 2**22 + 1
"""Above the most that Linux gives; that of a process that has ended may be given to another."""


def test_a_heartbeat_keeps_a_long_job(committed, add, kind, quick: Settings, store: Store):
    @handler(kind)
    def work(run: Run) -> None:
        def ends() -> datetime:
            lease_until = job(committed, run.job_id).lease_until
            assert lease_until is not None
            return lease_until

        for _ in range(3):
            before = ends()
            until(lambda before=before: ends() > before)
        assert take_back_expired(committed, quick) == 0
        run.check()

    assert run_job(add(), quick, committed, store) is JobState.DONE


def test_a_result_after_the_lease_was_taken_over_is_dropped(
    committed, add, kind, quick: Settings, store: Store
):
    @handler(kind)
    def work(run: Run) -> None:
        with committed.begin() as session:
            session.execute(update(Job).where(Job.id == run.job_id).values(attempt=Job.attempt + 1))
        with pytest.raises(LostLeaseError):
            until(run.check)
        with run.result() as session:
            enqueue(session, kind, key="too late")

    job_id = add()
    assert run_job(job_id, quick, committed, store) is None
    assert job(committed, job_id).state is JobState.RUNNING
    with committed() as session:
        assert session.scalars(select(Job.key).where(Job.key == "too late")).all() == []


def test_an_expired_lease_is_reclaimed(committed, add, quick: Settings):
    job_id = add()
    claim(committed, job_id, quick)
    assert take_back_expired(committed, quick) == 0
    with committed.begin() as session:
        session.execute(update(Job).values(lease_until=datetime.now(UTC) - timedelta(seconds=1)))
    assert take_back_expired(committed, quick) == 1
    assert job(committed, job_id).state is JobState.QUEUED


def embedded(quick: Settings, *, broker_url: str) -> Settings:
    return quick.model_copy(update={"broker_url": broker_url})


@pytest.fixture
def dead_worker() -> str:
    """Return the name of a worker on this machine that has ended."""
    return f"{socket.gethostname()}:{NO_PID}"


def held_by(committed, job_id, worker: str) -> None:
    with committed.begin() as session:
        session.execute(update(Job).where(Job.id == job_id).values(worker=worker))


def test_the_job_of_a_dead_worker_is_reclaimed_before_its_lease_expires(committed, add, quick, dead_worker):
    job_id = add()
    claim(committed, job_id, quick)
    assert take_back_orphaned(committed, embedded(quick, broker_url="")) == 0, "we hold it, and live"
    held_by(committed, job_id, dead_worker)
    assert take_back_orphaned(committed, embedded(quick, broker_url="")) == 1
    assert job(committed, job_id).state is JobState.QUEUED


def test_a_worker_on_another_host_keeps_its_lease(committed, add, quick, dead_worker):
    job_id = add()
    claim(committed, job_id, quick)
    held_by(committed, job_id, dead_worker)
    assert take_back_orphaned(committed, embedded(quick, broker_url="redis://valkey:6379/0")) == 0
    held_by(committed, job_id, "another-host:1")
    assert take_back_orphaned(committed, embedded(quick, broker_url="")) == 0
    assert job(committed, job_id).state is JobState.RUNNING


KILLED = """
import os, signal, sys
from uuid import UUID
import backend.models
from backend.core.sessions import create_sessions
from backend.core.jobs.runner import run_job
from backend.core.jobs.queue import handler
from backend.core.settings_environment import load_settings
from backend.core.storage.object_store import Store

@handler(sys.argv[2])
def work(run):
    os.kill(os.getpid(), signal.SIGKILL)

settings = load_settings()
run_job(UUID(sys.argv[1]), settings, create_sessions(settings), Store.open(settings))
"""


def test_a_job_that_kills_its_worker_is_marked_failed(committed, add, kind, quick: Settings):
    job_id = add()
    environment = {**os.environ, "CASEBOOK_DATA_DIR": str(quick.data_dir)}
    for attempt in (1, 2, 3):
        worker = subprocess.run(
            [sys.executable, "-c", KILLED, str(job_id), kind], env=environment, check=False
        )
        assert worker.returncode == -signal.SIGKILL
        assert job(committed, job_id).attempt == attempt
        with committed.begin() as session:
            ago = datetime.now(UTC) - timedelta(seconds=1)
            session.execute(update(Job).where(Job.id == job_id).values(lease_until=ago))
        assert take_back_expired(committed, quick) == 1
        make_due(committed, job_id)
    assert job(committed, job_id).state is JobState.FAILED
