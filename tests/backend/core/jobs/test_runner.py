"""A job runs exactly once, on one worker at a time, with bounded attempts."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from sqlalchemy import delete, select, update

from backend.core.jobs import queue
from backend.core.jobs.queue import Sender, enqueue, handler, on_failure
from backend.core.jobs.run import LostLeaseError, Run
from backend.core.jobs.runner import claim, run_job
from backend.core.sessions import create_sessions
from backend.models.event import Event
from backend.models.job import Job, JobState
from backend.operations.reaper import reap, take_back_expired, take_back_orphaned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store


@pytest.fixture
def quick(settings: Settings) -> Settings:
    return settings.model_copy(update={"lease_seconds": 2, "heartbeat_seconds": 0.2})


@pytest.fixture
def committed(settings: Settings) -> Iterator[sessionmaker[Session]]:
    """Sessions that really commit: several connections use the leases."""
    sessions = create_sessions(settings)
    yield sessions
    with sessions.begin() as session:
        session.execute(delete(Job))
        session.execute(delete(Event))
    sessions.kw["bind"].dispose()


@pytest.fixture
def kind() -> Iterator[str]:
    name = f"test.{uuid4().hex}"
    yield name
    queue._handlers.pop(name, None)
    queue._failure_handlers.pop(name, None)


@pytest.fixture
def add(committed: sessionmaker[Session], kind: str) -> Callable[[], UUID]:
    def add(**payload: object) -> UUID:
        with committed.begin() as session:
            return enqueue(session, kind, key=f"{kind}:{uuid4()}", **payload).id

    return add


def job(sessions: sessionmaker[Session], job_id: UUID) -> Job:
    with sessions() as session:
        return session.get_one(Job, job_id)


def make_due(sessions: sessionmaker[Session], job_id: UUID) -> None:
    with sessions.begin() as session:
        session.execute(update(Job).where(Job.id == job_id).values(run_after=datetime.now(UTC)))


def test_a_job_is_done(committed, add, kind, quick: Settings, store: Store):
    @handler(kind)
    def work(run: Run) -> None:
        with run.result() as session:
            enqueue(session, kind, key="next")

    job_id = add()
    assert run_job(job_id, quick, committed, store) is JobState.DONE
    done = job(committed, job_id)
    assert (done.state, done.attempt, done.lease_until) == (JobState.DONE, 1, None)


def test_a_done_job_is_not_done_again(committed, add, kind, quick: Settings, store: Store):
    handler(kind)(lambda _: None)
    job_id = add()
    run_job(job_id, quick, committed, store)
    assert run_job(job_id, quick, committed, store) is None


def test_a_job_may_queue_its_own_key_with_its_result(committed, kind, quick: Settings, store: Store):
    @handler(kind)
    def work(run: Run) -> None:
        with run.result() as session:
            enqueue(session, kind, key="judge:1")

    with committed.begin() as session:
        first = enqueue(session, kind, key="judge:1").id
    run_job(first, quick, committed, store)
    with committed() as session:
        assert list(session.scalars(select(Job.state).order_by(Job.id))) == [JobState.DONE, JobState.QUEUED]


def test_a_failing_job_is_retried_and_finally_marked_failed(
    committed, add, kind, quick: Settings, store: Store
):
    errors: list[str] = []

    @handler(kind)
    def work(_: Run) -> None:
        raise ZeroDivisionError("a bug of ours")

    @on_failure(kind)
    def tell(_: Session, __: Job, error: str) -> None:
        errors.append(error)

    job_id = add()
    for attempt in (1, 2):
        assert run_job(job_id, quick, committed, store) is JobState.QUEUED
        waiting = job(committed, job_id)
        assert waiting.attempt == attempt
        assert waiting.run_after > datetime.now(UTC) + timedelta(seconds=3)
        assert run_job(job_id, quick, committed, store) is None
        make_due(committed, job_id)
    assert run_job(job_id, quick, committed, store) is JobState.FAILED
    assert errors == ["ZeroDivisionError: a bug of ours"]
    with committed() as session:
        assert session.scalars(select(Event.kind)).all() == ["job.failed"]


def test_a_failed_job_is_rolled_back(committed, add, kind, quick: Settings, store: Store):
    @handler(kind)
    def work(run: Run) -> None:
        with run.result() as session:
            enqueue(session, kind, key="half done")
            session.flush()
            raise ZeroDivisionError

    job_id = add()
    run_job(job_id, quick, committed, store)
    with committed() as session:
        assert session.scalars(select(Job.key).where(Job.key == "half done")).all() == []
    assert job(committed, job_id).state is JobState.QUEUED


def test_a_heartbeat_keeps_a_long_job(committed, add, kind, quick: Settings, store: Store):
    @handler(kind)
    def work(run: Run) -> None:
        deadline = time.monotonic() + 3.0
        while time.monotonic() < deadline:
            assert take_back_expired(committed, quick) == 0
            time.sleep(0.2)
        run.check()

    assert run_job(add(), quick, committed, store) is JobState.DONE


def test_a_result_after_the_lease_was_taken_over_is_dropped(
    committed, add, kind, quick: Settings, store: Store
):
    @handler(kind)
    def work(run: Run) -> None:
        with committed.begin() as session:
            session.execute(update(Job).where(Job.id == run.job_id).values(attempt=Job.attempt + 1))
        time.sleep(0.5)
        with pytest.raises(LostLeaseError):
            run.check()
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
    ended = subprocess.Popen(["true"])
    ended.wait()
    return f"{socket.gethostname()}:{ended.pid}"


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


def test_a_job_unknown_to_the_broker_is_sent(committed, settings: Settings, kind):
    with committed.begin() as session:
        job_id = enqueue(session, kind, key="unsent").id
        session.info.pop("pending jobs")
    with committed.begin() as session:
        session.execute(update(Job).values(created_at=datetime.now(UTC) - timedelta(minutes=1)))
    sender: Sender = committed.kw["info"]["sender"]
    assert reap(committed, settings, sender) == 1
    assert job(committed, job_id).sent_at is not None
    assert sender.waiting("light") >= 1
    assert reap(committed, settings, sender) == 0


def test_a_job_that_the_broker_lost_is_sent_again(committed, settings: Settings, kind):
    with committed.begin() as session:
        job_id = enqueue(session, kind, key="lost", queue="heavy").id
    assert job(committed, job_id).sent_at is not None
    sender: Sender = committed.kw["info"]["sender"]
    with sender._celery.connection_for_write() as connection, connection.channel() as channel:
        channel.client.delete("heavy")
    with committed.begin() as session:
        session.execute(update(Job).values(sent_at=datetime.now(UTC) - timedelta(minutes=1)))
    assert reap(committed, settings, sender) == 1
    assert sender.waiting("heavy") == 1


def test_an_unavailable_broker_does_not_fail_a_commit(settings: Settings, kind):
    away = settings.model_copy(update={"broker_url": "redis+socket:///nonexistent/valkey.sock"})
    sessions = create_sessions(away)
    with sessions.begin() as session:
        job_id = enqueue(session, kind, key=f"{kind}:away").id
    assert job(sessions, job_id).sent_at is None
    with sessions.begin() as session:
        session.execute(delete(Job))
    sessions.kw["bind"].dispose()
