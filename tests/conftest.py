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
from functools import cache
from typing import TYPE_CHECKING, Any

import httpx
import hypothesis
import psycopg
import pytest
from psycopg import sql
from sqlalchemy import event

from backend.core.db.engine import create_engine
from backend.core.layout import APPLICATION_ROLE
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from backend.core.supervisor.supervisor import Supervisor
from backend.sandbox import fork_server
from ingest.garbage import collect_rarely
from signatures import faults
from tests.children import children
from tests.cluster import FORGETFUL, copy_cluster, create_database, migrated_cluster, own
from tests.long_form import IS_LONG
from tests.pipeline import at_work
from tests.schedule import import_rotated, pytest_collection_modifyitems, pytest_xdist_make_scheduler
from tests.transactions import Sent, rolled_back

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Engine
    from sqlalchemy.orm import Session, sessionmaker

    from tests.pipeline import Pipeline

__all__ = ["pytest_collection_modifyitems", "pytest_xdist_make_scheduler"]

collect_ignore = ["data"]
# A machine with other work to do makes no input too slow. Only `make sweeps` draws inputs anew: a change that
# has nothing to do with a rare input is not refused for it.
hypothesis.settings.register_profile(
    "casebook",
    deadline=None,
    derandomize=not IS_LONG,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("casebook")
CLIENT_SECONDS = 300.0
# A test sends more requests per second than a person per minute; only test_rate_limits.py tests the limits.
UNCOUNTED: dict[str, int] = dict.fromkeys(
    (
        "requests_per_minute",
        "sends_per_minute",
        "strangers_per_minute",
        "guest_sends_per_minute",
        "pages_per_minute",
    ),
    0,
) | {"queued_age_seconds": 86_400}
"""Nor do most tests have a worker, so that jobs of one sender may wait for long."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the captures that this machine could not run, when their tests were run."""
    reports = (report for found in terminalreporter.stats.values() for report in found)
    if any("test_captures.py" in getattr(report, "nodeid", "") for report in reports):
        from tests.signatures.captures import NOT_RUN

        for name, reason in NOT_RUN.items():
            terminalreporter.write_line(f"capture not run: {name}: {reason}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Collect no garbage among thousands of tests that stay: a fifth of the time of the collection."""
    gc.disable()
    import_rotated(session.config)


def pytest_collection_finish() -> None:
    """Have no collection of garbage walk the collected tests again, nor readings, which have no cycles."""
    gc.collect()
    gc.freeze()
    gc.enable()
    collect_rarely()


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


def _raise(_fault: faults.Fault, error: BaseException) -> None:
    raise error


@pytest.fixture(scope="session", autouse=True)
def _faults_are_failures() -> Iterator[None]:
    """A guard keeps a fault of ours to its own row; a test must see it."""
    faults.observers.append(_raise)
    yield
    faults.observers.remove(_raise)


@pytest.fixture(scope="session", autouse=True)
def _no_settings_of_the_shell() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    for name in list(os.environ):
        if name.startswith("CASEBOOK_"):
            patch.delenv(name)
    yield
    patch.undo()


@pytest.fixture(scope="session", autouse=True)
def _end_the_fork_server(_no_child_process_outlives_the_tests: None) -> Iterator[None]:
    """All tests of a process share a fork server, whose start takes a second of CPU."""
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
        own(settings)
        _STARTED.append(settings)
        yield supervisor, settings
        _STARTED.clear()


@pytest.fixture(scope="session")
def settings(supervisor: tuple[Supervisor, Settings]) -> Settings:
    return supervisor[1]


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


@pytest.fixture
def sent() -> Sent:
    return Sent()


@pytest.fixture
def sessions(engine: Engine, sent: Sent, settings: Settings) -> Iterator[sessionmaker[Session]]:
    with rolled_back(engine, sent, settings) as sessions:
        yield sessions


@pytest.fixture
def session(sessions: sessionmaker[Session]) -> Iterator[Session]:
    with sessions() as session:
        yield session


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(Settings(data_dir=tmp_path / "data"))


@pytest.fixture(scope="session")
def pipeline(
    supervisor: tuple[Supervisor, Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pipeline]:
    running, servers = supervisor
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("pipeline"),
        database_url=create_database(servers, "pipeline"),
        broker_url=f"{servers.effective_broker_url}?virtual_host=1",
        reaper_seconds=3.0,
        **UNCOUNTED,
    )
    with at_work(settings, running, servers.log_dir) as pipeline:
        yield pipeline
