"""Real servers for tests: an embedded PostgreSQL and Valkey per test process, started on first use.

settings   of those servers, with every migration applied
session    a transaction on them that is rolled back after the test
sent       the jobs that this transaction would have sent to the broker
store      an object store of the test's own
pipeline   a database of its own with a real worker and a reaper at work on it
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest
from psycopg import sql
from pydantic import SecretStr
from sqlalchemy import event, select, text
from sqlalchemy.orm import sessionmaker

from backend.core import encryption
from backend.core.db.engine import create_engine
from backend.core.jobs.job import Job, JobState
from backend.core.layout import APPLICATION_ROLE
from backend.core.sessions import create_sessions, session_info, watch
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from backend.core.supervisor.processes import Program
from backend.core.supervisor.supervisor import Supervisor
from backend.sandbox import fork_server
from tests.children import children
from tests.cluster import FORGETFUL, copy_cluster, create_database, migrated_cluster
from tests.schedule import pytest_collection_modifyitems, pytest_xdist_make_scheduler
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy import Connection, Engine
    from sqlalchemy.orm import Session

    from backend.core.jobs.queue import PendingPermit

__all__ = ["pytest_collection_modifyitems", "pytest_xdist_make_scheduler"]

collect_ignore = ["data"]
PIPELINE_SECONDS = 150
CLIENT_SECONDS = 60.0
# A test sends more requests per second than a person per minute; only test_rate_limits.py tests the limits.
UNCOUNTED = dict.fromkeys(
    (
        "requests_per_minute",
        "sends_per_minute",
        "strangers_per_minute",
        "guest_sends_per_minute",
        "pages_per_minute",
    ),
    0,
)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the captures that this machine could not run, when their tests were run."""
    reports = (report for found in terminalreporter.stats.values() for report in found)
    if any("test_captures.py" in getattr(report, "nodeid", "") for report in reports):
        from tests.signatures.captures import NOT_RUN

        for name, reason in NOT_RUN.items():
            terminalreporter.write_line(f"capture not run: {name}: {reason}")


def pytest_collection_finish() -> None:
    """Thousands of collected tests are no garbage: no collection of garbage walks them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _no_child_process_outlives_the_tests() -> Iterator[None]:
    """Set up first and torn down last, after the servers of the session."""
    yield
    assert children() == {}


@pytest.fixture(scope="session", autouse=True)
def _authorities_are_loaded_once() -> Iterator[None]:
    """Every HTTP client loads the certificate authorities, which takes 40 ms of CPU, also without TLS."""
    patch = pytest.MonkeyPatch()
    patch.setattr("httpx._transports.default.create_ssl_context", cache(httpx.create_ssl_context))
    yield
    patch.undo()


@pytest.fixture(scope="session", autouse=True)
def _clients_wait_for_a_busy_machine() -> Iterator[None]:
    """httpx gives up after 5 s by default; a machine that runs other things answers later."""
    patch = pytest.MonkeyPatch()
    for step in ("connect", "read", "write", "pool"):
        patch.setattr(f"httpx._config.DEFAULT_TIMEOUT_CONFIG.{step}", CLIENT_SECONDS)
    yield
    patch.undo()


@pytest.fixture(scope="session", autouse=True)
def _no_settings_of_the_shell() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    for name in list(os.environ):
        if name.startswith("CASEBOOK_"):
            patch.delenv(name)
    yield
    patch.undo()


@pytest.fixture(scope="module", autouse=True)
def _end_the_fork_server() -> Iterator[None]:
    """The sandbox of one file's tests does not outlive them."""
    yield
    fork_server.close()


_STARTED: list[Settings] = []
SHARED = ("event", "job", "case", "blob", "account", "team")


@pytest.fixture(scope="module", autouse=True)
def _check_tables_are_empty() -> Iterator[None]:
    """What the tests of one file committed to the shared database goes with them."""
    yield
    for settings in _STARTED:
        conninfo = settings.effective_database_url.replace("+psycopg", "")
        with psycopg.connect(conninfo) as connection:
            for table in SHARED:
                connection.execute(sql.SQL("delete from {}").format(sql.Identifier(table)))


@pytest.fixture(scope="session")
def supervisor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Supervisor, Settings]]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("casebook"), **UNCOUNTED)
    copy_cluster(migrated_cluster(tmp_path_factory), settings)
    with Supervisor(settings, say=lambda _: None, postgres_options=FORGETFUL) as supervisor:
        supervisor.open_servers()
        _STARTED.append(settings)
        yield supervisor, settings
        _STARTED.clear()


@pytest.fixture(scope="session")
def settings(supervisor: tuple[Supervisor, Settings]) -> Settings:
    return supervisor[1]


def key_of(settings: Settings) -> SecretStr:
    """Return the key of the servers' installation: one audit log has one key."""
    encryption.derived_key(settings, "audit")
    return SecretStr((settings.data_dir / "seal.key").read_text(encoding="ascii"))


@pytest.fixture(scope="session")
def engine(settings: Settings) -> Iterator[Engine]:
    """Connections of the application's role; `as_owner` of a test gives the rights of the owner."""
    engine = create_engine(settings, as_owner=True)

    @event.listens_for(engine, "connect")
    def act_as_application(connection: Any, _: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"set role {APPLICATION_ROLE}")
        connection.commit()

    yield engine
    engine.dispose()


def as_owner(session: Session) -> None:
    """Act as the owner of the tables until the transaction ends, which the application cannot."""
    session.execute(text("set local role casebook"))


class Sent(list["PendingPermit"]):
    """Stands where the broker is: takes jobs, carries them nowhere."""

    def send(self, jobs: list[PendingPermit]) -> None:
        self.extend(jobs)


@pytest.fixture
def sent() -> Sent:
    return Sent()


@pytest.fixture
def sessions(engine: Engine, sent: Sent, settings: Settings) -> Iterator[sessionmaker[Session]]:
    with rolled_back(engine, sent, settings) as sessions:
        yield sessions


@contextmanager
def rolled_back(engine: Engine, sent: Sent, settings: Settings) -> Iterator[sessionmaker[Session]]:
    """Yield sessions of one transaction, which is rolled back at the end."""
    with engine.connect() as connection:
        outer = connection.begin()
        yield _sessions_on(connection, sent, settings)
        outer.rollback()


@contextmanager
def rolled_back_within(
    outer: sessionmaker[Session], sent: Sent, settings: Settings
) -> Iterator[sessionmaker[Session]]:
    """Yield sessions of a savepoint in the transaction of `outer`, which is rolled back at the end."""
    connection = outer.kw["bind"]
    savepoint = connection.begin_nested()
    yield _sessions_on(connection, sent, settings)
    savepoint.rollback()


def _sessions_on(connection: Connection, sent: Sent, settings: Settings) -> sessionmaker[Session]:
    info = session_info(settings, sent)
    sessions = sessionmaker(connection, join_transaction_mode="create_savepoint", info=info)
    watch(sessions)
    return sessions


@pytest.fixture
def session(sessions: sessionmaker[Session]) -> Iterator[Session]:
    with sessions() as session:
        yield session


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(Settings(data_dir=tmp_path / "data"))


@dataclass(frozen=True)
class Pipeline:
    """A whole service but for the web application: what is enqueued here gets done."""

    settings: Settings
    sessions: sessionmaker[Session]
    store: Store
    log_dir: Path

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

    def _logs(self) -> str:
        logs = self.log_dir.glob("test-*.log")
        return "\n".join(log.read_text(errors="replace")[-3000:] for log in logs)


@pytest.fixture(scope="session")
def pipeline(
    supervisor: tuple[Supervisor, Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pipeline]:
    running, servers = supervisor
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("pipeline"),
        database_url=create_database(servers, "pipeline"),
        broker_url=f"{servers.effective_broker_url}?virtual_host=1",
        reaper_seconds=1.0,
        **UNCOUNTED,
    )
    environment = {
        "CASEBOOK_DATA_DIR": str(settings.data_dir),
        "CASEBOOK_DATABASE_URL": settings.database_url,
        "CASEBOOK_BROKER_URL": settings.broker_url,
        "CASEBOOK_REAPER_SECONDS": "1",
    }
    for directory in (settings.staging_dir, settings.scratch_dir):
        directory.mkdir()
    children = running.start(
        [
            Program("test-worker", [sys.executable, "-m", "backend.cli", "worker"], environment),
            Program("test-reaper", [sys.executable, "-m", "backend.cli", "reap"], environment),
        ]
    )
    sessions = create_sessions(settings)
    yield Pipeline(settings, sessions, Store.open(settings), servers.log_dir)
    for child in children:
        child.stop()
    sessions.kw["bind"].dispose()
