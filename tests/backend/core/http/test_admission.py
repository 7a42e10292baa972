"""Admission control over real connections: idle requests hold no slot, requests without a slot get 503."""

from __future__ import annotations

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import delete, select
from sqlalchemy.orm import Session, sessionmaker

from backend.accounts import service as accounts
from backend.core.db.engine import create_engine
from backend.core.http.admission import STREAMED, Load
from backend.core.sessions import create_sessions, watch
from backend.core.storage.object_store import Store
from backend.models import Case, Event, Job
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.cluster import key_of
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI

    from backend.core.settings import Settings

THREADS = 2
SCHEMA = Path("frontend/openapi.json")


@pytest.fixture(scope="module")
def own_settings(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of the servers for an application with few threads."""
    servers = {"database_url": settings.effective_database_url, "broker_url": settings.effective_broker_url}
    folder = tmp_path_factory.mktemp("admission")
    own = {"data_dir": folder, "api_threads": THREADS, "seal_key": key_of(settings)}
    return settings.model_copy(update=servers | own)


@pytest.fixture(scope="module")
def own_sessions(own_settings: Settings) -> Iterator[sessionmaker[Session]]:
    """Connections of the application's own; its cases go at the end."""
    sessions = create_sessions(own_settings)
    yield sessions
    with sessions.begin() as session:
        for table in (Event, Job, Case):
            session.execute(delete(table))
    sessions.kw["bind"].dispose()


@pytest.fixture(scope="module")
def own_token(own_sessions: sessionmaker[Session]) -> str:
    with own_sessions.begin() as session:
        return accounts.create_api_token(session, name="admission")


@pytest.fixture(scope="module")
def own_app(own_settings: Settings, own_sessions: sessionmaker[Session]) -> FastAPI:
    return create_app(own_settings, sessions=own_sessions, store=Store.open(own_settings))


@pytest.fixture(scope="module")
def load(own_app: FastAPI) -> Load:
    loaded: Load = own_app.state.load
    return loaded


@pytest.fixture(scope="module")
def client(own_app: FastAPI, own_token: str) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {own_token}"}
    with serving(own_app) as url, httpx.Client(base_url=url, headers=headers) as client:
        yield client


def begin(client: httpx.Client, head: str, body: bytes = b"") -> socket.socket:
    """Send the head of a request and so much of its body."""
    parts = urlsplit(str(client.base_url))
    connection = socket.create_connection((parts.hostname or "", parts.port or 0))
    fields = {"Host": parts.netloc, "Authorization": client.headers["authorization"]}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    connection.sendall(f"{head}\r\n{lines}\r\n".encode() + body)
    return connection


@pytest.mark.parametrize(
    "head",
    [
        "POST /api/v1/cases HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 100",
        "POST /api/v1/uploads HTTP/1.1\r\nTus-Resumable: 1.0.0\r\nUpload-Length: 5\r\nContent-Length: 100",
        "POST /api/v1/stories/import HTTP/1.1\r\nContent-Type: text/markdown\r\nContent-Length: 100",
        "PUT /api/v1/evidence/slow.txt HTTP/1.1\r\nContent-Length: 100",
        "PUT /api/v1/evidence/a/b.txt HTTP/1.1\r\nTransfer-Encoding: chunked",
    ],
)
def test_a_slow_request_body_holds_no_slot_and_no_connection(client, own_sessions, load, head):
    slow = [begin(client, head, b"1\r\n{" if "chunked" in head else b"{") for _ in range(3 * THREADS)]
    until(lambda: load.bodies == len(slow) and load.slots.in_use == 0)
    assert own_sessions.kw["bind"].pool.checkedout() == 0
    assert client.get("/api/v1/me").status_code == 200
    for connection in slow:
        connection.close()
    until(lambda: load.bodies == 0)
    until(lambda: (load.slots.in_use, load.slots.waiting, load.body_bytes) == (0, 0, 0))


def test_an_aborted_chunked_upload_releases_slot_and_connection(client, own_sessions, load):
    begun = client.post("/api/v1/uploads", headers={"Tus-Resumable": "1.0.0", "Upload-Length": "3000000"})
    head = (
        f"PATCH {begun.headers['location']} HTTP/1.1\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
        "Content-Type: application/offset+octet-stream\r\nContent-Length: 3000000"
    )
    connection = begin(client, head, b"x" * 2_000_000)
    until(lambda: load.bodies == 1 and load.slots.in_use == 0)
    connection.close()
    until(lambda: load.bodies == 0)
    stands = client.head(begun.headers["location"], headers={"Tus-Resumable": "1.0.0"})
    assert int(stands.headers["upload-offset"]) == 2_000_000
    # An answer is here before the slot behind it is free.
    until(lambda: (load.slots.in_use, own_sessions.kw["bind"].pool.checkedout()) == (0, 0))


def test_long_polling_holds_no_slot(own_app, client, load):
    case = client.post("/api/v1/paste", json={"text": "main;read_file;copy_to_user 42"}).json()["case"]["id"]
    path = f"/api/v1/cases/{case}?wait=100"
    waiting = [begin(client, f"GET {path} HTTP/1.1") for _ in range(3 * THREADS)]
    until(lambda: sum(len(feed.watchers) for feed in own_app.state.events._feeds.values()) == len(waiting))
    until(lambda: load.slots.in_use == 0)
    answers = [client.get("/api/v1/me").status_code for _ in range(10)]
    assert answers == [200] * 10
    for connection in waiting:
        connection.close()
    until(lambda: load.slots.in_use == 0 and load.slots.waiting == 0)


def test_an_event_stream_holds_no_slot(client, load):
    case = client.post("/api/v1/cases", json={}).json()["number"]
    listeners = [begin(client, f"GET /api/v1/cases/{case}/events HTTP/1.1") for _ in range(3 * THREADS)]
    assert [listener.recv(12) for listener in listeners] == [b"HTTP/1.1 200"] * len(listeners)
    until(lambda: load.slots.in_use == 0)
    assert load.listeners == len(listeners)
    assert client.get("/api/v1/me").status_code == 200
    for listener in listeners:
        listener.close()
    until(lambda: load.listeners == 0)


def test_a_slow_download_holds_no_slot(client, load):
    client.put("/api/v1/evidence/large.txt", content=b"main;read_file 42\n" * 200_000)
    case = client.get("/api/v1/cases").json()["items"][0]["number"]
    [evidence] = client.get(f"/api/v1/cases/{case}/evidence").json()["items"]
    path = f"/api/v1/evidence/{evidence['id']}/content"
    slow = [begin(client, f"GET {path} HTTP/1.1") for _ in range(3 * THREADS)]
    assert [connection.recv(12) for connection in slow] == [b"HTTP/1.1 200"] * len(slow)
    until(lambda: load.slots.in_use == 0)
    assert client.get("/api/v1/me").status_code == 200
    for connection in slow:
        connection.close()


def test_requests_without_a_slot_are_answered_503_and_health_is_not(client, own_sessions, load):
    cases = [client.post("/api/v1/cases", json={}).json() for _ in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as threads, own_sessions() as session:
        session.scalars(select(Case).with_for_update()).all()
        held = [
            threads.submit(client.patch, f"/api/v1/cases/{case['number']}", json={"title": "held"})
            for case in cases
        ]
        until(lambda: load.slots.in_use == THREADS)
        refused = client.get("/api/v1/me")
        health = [client.get(path).status_code for path in ("/healthz", "/readyz", "/api/v1/health")]
        session.rollback()
        done = [answer.result().status_code for answer in held]
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["code"] == "Overloaded"
    assert f"({THREADS} concurrent requests)" in refused.json()["detail"]
    assert health == [200] * 3
    assert done == [200] * THREADS
    assert client.get("/api/v1/me").status_code == 200
    until(lambda: load.slots.in_use == 0)


def test_a_disconnected_request_is_not_served(client, own_sessions, load):
    case = client.post("/api/v1/cases", json={}).json()["number"]
    with ThreadPoolExecutor(THREADS) as threads, own_sessions() as session:
        session.scalars(select(Case).with_for_update()).all()
        held = [
            threads.submit(client.patch, f"/api/v1/cases/{case}", json={"title": "held"})
            for _ in range(THREADS)
        ]
        until(lambda: load.slots.in_use == THREADS)
        body = b'{"title": "left"}'
        head = f"POST /api/v1/cases HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        connection = begin(client, head, body)
        until(lambda: load.slots.waiting == 1)
        connection.close()
        # The server has noticed before it answers what is sent later.
        assert client.get("/healthz").status_code == 200
        session.rollback()
        assert [answer.result().status_code for answer in held] == [200] * THREADS
    until(lambda: load.slots.in_use == 0 and load.slots.waiting == 0)
    assert client.get("/api/v1/cases", params={"q": "left"}).json()["items"] == []


def test_an_exhausted_pool_is_answered_503_without_waiting(own_app, own_settings, client):
    engine = create_engine(own_settings, pool_size=1, max_overflow=0, pool_timeout_seconds=0.1)
    sessions: sessionmaker[Session] = sessionmaker(engine)
    watch(sessions)
    usual, own_app.state.sessions = own_app.state.sessions, sessions
    with engine.connect():
        answer = client.get("/api/v1/me")
    own_app.state.sessions = usual
    engine.dispose()
    assert (answer.status_code, answer.json()["code"]) == (503, "Overloaded")
    assert answer.headers["retry-after"] == "2"


def test_every_file_upload_route_streams_its_body():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    is_streamed_by_route: dict[str, bool] = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            kinds = set(operation.get("requestBody", {}).get("content", {}))
            place = path.replace("{case_id}", "7").replace("{upload_id}", "7").replace("{filename}", "a/b\n")
            asked = f"{method.upper()} {place}"
            is_file = bool(kinds & {"multipart/form-data", "application/octet-stream", "text/csv"}) or (
                method == "patch" and ("application/offset+octet-stream" in kinds)
            )
            assert bool(STREAMED.fullmatch(asked)) == is_file, asked
            is_streamed_by_route[asked] = is_file
    assert sum(is_streamed_by_route.values()) >= 9


def test_concurrent_requests_never_exceed_the_threads(client, load):
    most = 0
    is_over = threading.Event()

    def watch_load() -> None:
        nonlocal most
        while not is_over.wait(0.0005):
            most = max(most, load.slots.in_use)

    watcher = threading.Thread(target=watch_load, daemon=True)
    watcher.start()
    # A kept connection that idles on a busy machine is closed by the server just as it is used again.
    once = {"Connection": "close"}
    with ThreadPoolExecutor(20) as threads:
        answers = list(
            threads.map(lambda _: client.get("/api/v1/cases", headers=once).status_code, range(100))
        )
    is_over.set()
    watcher.join()
    assert set(answers) <= {200, 503}
    assert answers.count(200) > 0
    assert 1 <= most <= THREADS
