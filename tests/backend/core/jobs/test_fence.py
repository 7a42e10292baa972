"""Only workers of this instance, generation and version claim jobs and store results."""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from backend.core.db import instance, migrate
from backend.core.db.engine import create_engine
from backend.core.errors import DataDirectoryError, SettingsError
from backend.core.jobs.queue import enqueue, handler
from backend.core.jobs.runner import claim, claim_next, run_job, run_next
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from backend.core.supervisor.processes import Program
from backend.models import JobState
from tests.backend.core.jobs.job_rows import job
from tests.cluster import create_database, own
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def owned(settings: Settings, tmp_path: Path) -> Iterator[Settings]:
    """Settings of an instance with a database and a data directory of its own."""
    url = create_database(settings, "fenced")
    made = Settings(
        data_dir=tmp_path / "data",
        database_url=url,
        broker_url=f"{settings.effective_broker_url}?virtual_host=2",
        heartbeat_seconds=0.2,
    )
    own(made)
    yield made
    with psycopg.connect(f"host={settings.run_dir} user=casebook dbname=postgres", autocommit=True) as server:
        server.execute("drop database fenced with (force)")


@contextmanager
def worker(settings: Settings):
    """Yield what a worker uses that starts with `settings`."""
    sessions = create_sessions(settings, pool_size=2)
    try:
        yield sessions
    finally:
        sessions.kw["bind"].dispose()


def add(settings: Settings, kind: str):
    with worker(settings) as sessions, sessions.begin() as session:
        return enqueue(session, kind, key=str(uuid4())).id


def at(data_dir: Path, settings: Settings) -> Settings:
    return settings.model_copy(update={"data_dir": data_dir})


def of_a_new_directory(settings: Settings, tmp_path: Path) -> Settings:
    return at(tmp_path / "new", settings)


def of_a_copied_directory(settings: Settings, tmp_path: Path) -> Settings:
    shutil.copytree(settings.data_dir, tmp_path / "copy")
    return at(tmp_path / "copy", settings)


def of_another_instance(settings: Settings, tmp_path: Path) -> Settings:
    other = at(tmp_path / "other", settings)
    instance._write(other.data_dir, instance.Identity(uuid4(), uuid4()))
    return other


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        (of_a_new_directory, "not that of the database"),
        (of_a_copied_directory, "copy"),
        (of_another_instance, "belongs to another instance"),
    ],
)
def test_a_worker_with_another_data_directory_claims_nothing(owned, tmp_path, store, start, reason):
    job_id = add(owned, "any")
    foreign = start(owned, tmp_path)
    with worker(foreign) as sessions:
        assert claim_next(sessions, "light", foreign) is None
        assert claim(sessions, job_id, foreign) is None
        with pytest.raises(SettingsError, match=reason) as raised:
            run_next("light", foreign, sessions, store)
        assert "\n" not in str(raised.value)
        assert job(sessions, job_id).attempt == 0
    with worker(owned) as sessions:
        assert claim_next(sessions, "light", owned).id == job_id


def renewed(settings: Settings) -> None:
    own(settings, renews=True)


def migrated_by_a_newer_version(settings: Settings) -> None:
    migrated_to(settings, "7777")


def migrated_to(settings: Settings, revision: str) -> None:
    url = settings.effective_database_url.replace("casebook_app@", "casebook@").replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        connection.execute("update alembic_version set version_num = %s", [revision])


@pytest.mark.parametrize(
    ("change", "reason"), [(renewed, "restored"), (migrated_by_a_newer_version, "newer version")]
)
def test_a_worker_that_is_outlived_neither_ends_its_job_nor_claims_another(
    owned, kind, store, change: Callable[[Settings], None], reason
):
    """A worker that survives the restart of an embedded instance, a restore, or the upgrade by another."""
    job_id, next_id = add(owned, kind), add(owned, kind)
    ran = []

    @handler(kind)
    def work(run) -> None:
        change(owned)
        until(lambda: run.heartbeat.is_lost)
        ran.append(run)

    with worker(owned) as sessions:
        assert run_job(job_id, owned, sessions, store) is None
        assert (len(ran), job(sessions, job_id).state) == (1, JobState.RUNNING)
        assert claim(sessions, next_id, owned) is None
        with pytest.raises(SettingsError, match=reason):
            run_next("light", owned, sessions, store)
        assert job(sessions, next_id).attempt == 0
    migrated_to(owned, migrate.head())
    with worker(owned) as sessions:
        assert claim(sessions, next_id, owned) is not None


def test_workers_that_share_the_data_directory_all_claim(owned, tmp_path, kind):
    """As other hosts and containers have it, below other paths."""
    mounted = tmp_path / "mounted"
    mounted.symlink_to(owned.data_dir)
    elsewhere = at(mounted, owned)
    own(elsewhere)
    jobs = {add(owned, kind), add(owned, kind)}
    with worker(owned) as first, worker(elsewhere) as second:
        assert {claim_next(first, "light", owned).id, claim_next(second, "light", elsewhere).id} == jobs


def test_a_worker_of_a_version_before_the_fence_cannot_claim(owned, kind):
    add(owned, kind)
    with (
        worker(owned) as sessions,
        pytest.raises(IntegrityError, match="ck_job_fenced"),
        sessions.begin() as old,
    ):
        old.execute(text("update job set state = 'running', attempt = attempt + 1, worker = 'old:1'"))


def test_a_data_directory_takes_a_database_over_when_nobody_is_at_work_on_it(owned, tmp_path):
    new = at(tmp_path / "new", owned)
    before = instance.identity_of(owned.data_dir)
    with worker(owned) as sessions, sessions() as session:
        session.execute(text("select 1"))
        with pytest.raises(DataDirectoryError, match="its service is running"):
            own(new)
        assert instance.identity_of(new.data_dir) is None
    own(new)
    engine = create_engine(new)
    with engine.connect() as connection:
        taken = instance.identity_in(connection)
    engine.dispose()
    assert instance.identity_of(new.data_dir) == taken
    assert (taken.id, taken.generation != before.generation) == (before.id, True)


def test_a_worker_process_that_is_outlived_ends_with_one_sentence(owned, supervisor, kind):
    running, servers = supervisor
    environment = {
        "CASEBOOK_DATA_DIR": str(owned.data_dir),
        "CASEBOOK_DATABASE_URL": owned.effective_database_url,
        "CASEBOOK_BROKER_URL": owned.effective_broker_url,
    }
    program = Program("fenced", [sys.executable, "-m", "cli", "worker"], environment)
    log = servers.log_dir / "fenced.log"
    (process,) = running.start([program])
    try:
        until(lambda: "ready." in log.read_text(), seconds=150, output=lambda: process.last_lines(50))
        own(owned, renews=True)
        job_id = add(owned, kind)
        until(lambda: not process.is_alive, seconds=150, output=lambda: process.last_lines(50))
    finally:
        process.stop()
        running._workers.remove(process)
    assert log.read_text().count("this worker claims no jobs") == 1
    with worker(owned) as sessions:
        assert job(sessions, job_id).attempt == 0
        assert sessions.kw["info"]["sender"].waiting("light"), "another worker gets its permit"
