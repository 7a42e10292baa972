"""The web application on a real socket: `web` is signed in by token, `browser` not yet signed in at all."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import httpx
import pytest
from argon2 import PasswordHasher
from sqlalchemy import delete

from backend.accounts import passwords
from backend.accounts import service as accounts
from backend.client import Client
from backend.core.http import server
from backend.core.jobs import heartbeat
from backend.core.jobs.task_modules import load_task_modules
from backend.core.sessions import create_sessions
from backend.models import Case, Event, Job
from tests.backend.applications import create_app
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastapi import FastAPI
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

PATIENCE_SECONDS = 300
"""How long a client waits for an answer: a bound for what hangs, not for what a loaded machine takes."""

PATIENT = {"heartbeat_seconds": 14_400.0, "lease_seconds": 43_200.0}
"""Settings of jobs that run inside the transaction of a test, which their heartbeat would not see; it looks
first after a twentieth of its interval, 12 minutes."""

# Tests run jobs without a worker process.
load_task_modules()

OF_PEOPLE = passwords._hasher
"""Taken before the first package of tests has another one: the fixture is that of several."""


@pytest.fixture(scope="session", autouse=True)
def product_hasher() -> Iterator[PasswordHasher]:
    """Hash passwords of tests quickly; yield what hashes those of people, a tenth of a second of CPU each."""
    patch = pytest.MonkeyPatch()
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    patch.setattr(passwords, "_hasher", quick)
    patch.setattr(passwords, "OF_NO_ACCOUNT", quick.hash("a password of no account"))
    yield OF_PEOPLE
    patch.undo()


@pytest.fixture
def notified_only(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of workers that look at their job as it begins, and then only if they are notified."""
    monkeypatch.setattr(heartbeat, "FIRST_LOOK_SHARE", 0.0)
    return settings.model_copy(update={"heartbeat_seconds": 600.0, "lease_seconds": 1800})


@pytest.fixture
def app_settings(settings: Settings, tmp_path: Path) -> Settings:
    """Settings of the servers, with directories and small limits of this test's own."""
    return settings_below(tmp_path, settings)


def settings_below(folder: Path, settings: Settings) -> Settings:
    """Return settings of the servers, with directories below `folder` and small limits."""
    pages = folder / "dist"
    pages.mkdir()
    (pages / "index.html").write_text('<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__">')
    return settings.model_copy(
        update={
            "data_dir": folder / "data",
            "frontend_dir": pages,
            "max_evidence_bytes": 4 << 20,
            "max_paste_bytes": 1 << 20,
            "max_files_per_request": 40,
            "heavy_from_bytes": 1 << 20,
        }
    )


@pytest.fixture
def app(app_settings: Settings, sessions: sessionmaker[Session], store: Store) -> FastAPI:
    return create_app(app_settings, sessions=sessions, store=store)


@pytest.fixture
def address(app: FastAPI) -> Iterator[str]:
    with serving(app) as url:
        yield url


class serving:  # noqa: N801 - reads as a statement
    """Runs an application on a free port until left."""

    def __init__(self, app: FastAPI, *, protocol: type[server.Protocol] = server.Protocol) -> None:
        self._server = server.Server(
            server.config(app, protocol=protocol, log_level="warning", timeout_graceful_shutdown=1),
            end_streams=app.state.events.end_streams if hasattr(app.state, "events") else lambda: None,
        )
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )

    def __enter__(self) -> str:
        self._thread.start()
        until(lambda: self._server.started, every=0.01)
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._thread.join(PATIENCE_SECONDS)
        self._socket.close()

    def stop(self) -> None:
        """Begin to stop, as a signal has it."""
        self._server.should_exit = True


@pytest.fixture
def own_sessions(settings: Settings) -> Iterator[sessionmaker[Session]]:
    """Connections of their own, for answers that last while others write; their cases go at the end."""
    sessions = create_sessions(settings)
    yield sessions
    with sessions.begin() as session:
        for table in (Event, Job, Case):
            session.execute(delete(table))
    sessions.kw["bind"].dispose()


@pytest.fixture
def token(sessions: sessionmaker[Session]) -> str:
    with sessions.begin() as session:
        return accounts.create_api_token(session, name="test")


@pytest.fixture
def web(address: str, token: str) -> Iterator[httpx.Client]:
    with httpx.Client(
        base_url=f"{address}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE_SECONDS
    ) as client:
        yield client


@pytest.fixture
def browser(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{address}/api/v1", timeout=PATIENCE_SECONDS) as client:
        yield client


@pytest.fixture
def casebook(address: str, token: str) -> Iterator[Client]:
    with Client(address, token=token) as client:
        yield client
