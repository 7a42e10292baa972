"""No request is answered 5xx or holds the event loop, at INFO and at DEBUG.

The API runs as `casebook api` does, on a socket and a database of its own. Its event loop is timed in CPU
time (`tests.backend.hostile_server`). Each level takes every second request; `make hostile` sends every value
everywhere, and more by chance.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest

from backend.accounts import service as accounts
from backend.core.sessions import create_sessions
from tests.backend.hostile_requests import Operations, Sent, by_chance, heads
from tests.backend.hostile_values import NOBODY
from tests.cluster import create_database
from tests.conftest import UNCOUNTED
from tests.growth import CONFIRMED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from backend.core.settings import Settings

LONG = "CASEBOOK_HOSTILE_REQUESTS"
MANY = int(os.environ.get(LONG, "0"))
SEED = int(os.environ.get("CASEBOOK_HOSTILE_SEED", "1"))
LEVELS = ("INFO", "DEBUG")
CONNECTIONS = 4
PATIENCE_SECONDS = 300
LAST_LINE_BYTES = 40_000


class Asked(NamedTuple):
    """A request that was sent, and the status of its answer."""

    began: float
    ended: float
    request: Sent
    is_signed_in: bool
    status: int


@dataclass
class Api:
    """A running API and what it was asked."""

    level: str
    address: tuple[str, int]
    token: str
    log: Path
    report: Path
    asked: list[Asked] = field(default_factory=list)

    def ask(self, request: Sent, *, is_signed_in: bool) -> int:
        """Send a request and return the status of its answer; 0 when there was none."""
        began = time.monotonic()
        status = 0
        with socket.create_connection(self.address, timeout=PATIENCE_SECONDS) as peer:
            with contextlib.suppress(ConnectionError):
                peer.sendall(request.raw(self.token if is_signed_in else ""))
            with contextlib.suppress(ConnectionError):
                status = _status(peer)
        self.asked.append(Asked(began, time.monotonic(), request, is_signed_in, status))
        return status

    def ask_all(self, requests: Iterable[tuple[Sent, bool]]) -> None:
        """Send requests over some connections at a time."""
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            list(pool.map(lambda one: self.ask(one[0], is_signed_in=one[1]), requests))

    def failed(self) -> list[str]:
        """Return the requests that were answered 5xx or not at all."""
        return [
            f"{asked.status} {_line(asked.request)}"
            for asked in self.asked
            if not 200 <= asked.status < 500 and not (asked.status == 0 and asked.request.may_be_dropped)
        ]

    def slow(self) -> list[str]:
        """Return the requests that hold the event loop, and do so each time they are sent again, one by one.

        A callback that allocates may also pay for a garbage collection that others made due, and what else
        runs on the machine costs processor time.
        """
        held = self._held()
        for _ in range(CONFIRMED):
            already_asked = len(self.asked)
            for asked in [asked for _, meanwhile in held for asked in meanwhile]:
                self.ask(asked.request, is_signed_in=asked.is_signed_in)
            held = self._held(already_asked)
        return [
            f"{found['cpu'] * 1000:.0f} ms: {found['what'][:200]}: {[_line(one.request) for one in again]}"
            for found, again in held
        ]

    def _held(self, since: int = 0) -> list[tuple[dict[str, Any], list[Asked]]]:
        """Return what held the event loop while a request was answered, the first `since` left out."""
        lines = self.report.read_text().splitlines() if self.report.exists() else []
        held = []
        for found in map(json.loads, lines):
            meanwhile = [
                asked
                for asked in self.asked[since:]
                if asked.began <= found["ended"] and asked.ended >= found["began"]
            ]
            if meanwhile:
                held.append((found, meanwhile))
        return held


def _line(request: Sent) -> str:
    headers = b", ".join(name[:30] + b": " + value[:30] for name, value in request.headers[:3])
    return (
        f"{request.method} {request.target[:90]!r} [{headers!r}] {request.body[:60]!r} ({len(request.body)})"
    )


def _status(peer: socket.socket) -> int:
    """Read an answer to its end, but no stream of events; return its status."""
    head = b""
    while True:
        while b"\r\n\r\n" not in head:
            piece = peer.recv(65536)
            if not piece:
                return 0
            head += piece
        status = int(head.split(b" ", 2)[1])
        if status >= 200:
            break
        head = head.partition(b"\r\n\r\n")[2]
    with contextlib.suppress(ConnectionError):
        while b"text/event-stream" not in head and peer.recv(65536):
            pass
    return status


@pytest.fixture(scope="module")
def own(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings with a database and a directory that only this module uses."""
    return settings.model_copy(
        update={
            "data_dir": tmp_path_factory.mktemp("hostile"),
            "database_url": create_database(settings, "hostile"),
            "broker_url": f"{settings.effective_broker_url}?virtual_host=9",
        }
    )


@pytest.fixture(scope="module", params=LEVELS)
def api(
    request: pytest.FixtureRequest, own: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Api]:
    """The API at one level of logging, and a token of an administrator."""
    sessions = create_sessions(own, pool_size=1)
    with sessions.begin() as session:
        token = accounts.create_api_token(session, name=f"hostile {request.param}")
    sessions.kw["bind"].dispose()
    folder = tmp_path_factory.mktemp(request.param)
    pages = folder / "dist"
    pages.mkdir()
    (pages / "index.html").write_text('<meta property="csp-nonce" nonce="__CSP_NONCE__">')
    (pages / "api-reference").mkdir()
    (pages / "api-reference" / "index.html").write_text('<i nonce="__CSP_NONCE__">')
    (pages / "favicon.svg").write_bytes(b"<svg/>" * 100_000)
    environment = {
        **os.environ,
        **{f"CASEBOOK_{name.upper()}": str(value) for name, value in UNCOUNTED.items()},
        "CASEBOOK_DATA_DIR": str(own.data_dir),
        "CASEBOOK_DATABASE_URL": own.database_url,
        "CASEBOOK_BROKER_URL": own.broker_url,
        "CASEBOOK_FRONTEND_DIR": str(pages),
        "CASEBOOK_LOG_LEVEL": request.param,
    }
    log, report = folder / "api.log", folder / "slow.jsonl"
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener, log.open("wb") as lines:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.backend.hostile_server", str(listener.fileno()), str(report)],
            stdout=lines,
            stderr=lines,
            pass_fds=[listener.fileno()],
            env=environment,
        )
        made = Api(request.param, listener.getsockname()[:2], token, log, report)
        try:
            yield made
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


@pytest.fixture(scope="module")
def schema(api: Api) -> dict[str, Any]:
    """The schema as the API tells it, once it answers."""
    host, port = api.address
    with httpx.Client(base_url=f"http://{host}:{port}/api/v1", timeout=PATIENCE_SECONDS) as web:
        web.get("/health").raise_for_status()
        # Ready: from here on whatever holds the event loop holds a request. The schema is made now.
        began = time.monotonic()
        answer = web.get("/openapi.json").raise_for_status()
    request = Sent("GET", b"/api/v1/openapi.json")
    api.asked.append(Asked(began, time.monotonic(), request, is_signed_in=False, status=answer.status_code))
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture(scope="module")
def known(api: Api) -> dict[str, str]:
    """Ids that exist, so that a request gets as far as what is odd with it."""
    host, port = api.address
    headers = {"Authorization": f"Bearer {api.token}"}
    with httpx.Client(
        base_url=f"http://{host}:{port}/api/v1", headers=headers, timeout=PATIENCE_SECONDS
    ) as web:
        case = str(web.post("/cases", json={}).raise_for_status().json()["number"])
        received = web.post(f"/cases/{case}/paste", json={"text": "main;read 3\n"}).raise_for_status().json()
        note = web.post(f"/cases/{case}/notes", json={"text": "a note"}).raise_for_status().json()
    evidence = received["evidence"][0]["id"]
    return {"case_id": case, "evidence_id": evidence, "note_id": note["id"], "number": "1", "team_id": NOBODY}


def test_odd_addresses_queries_and_headers(api: Api, schema: dict[str, Any]):
    assert schema["paths"]
    requests = list(zip(heads(), cycle((True, True, False, False)), strict=False))
    requests += [(request, not is_signed_in) for request, is_signed_in in requests] if MANY else []
    api.ask_all(requests if MANY else requests[LEVELS.index(api.level) :: len(LEVELS)])


def test_odd_values_in_every_operation(api: Api, schema: dict[str, Any], known: dict[str, str]):
    operations = Operations(schema, known)
    both = (True, False) if MANY else (True,)
    requests = [(request, who) for who in both for request in operations.sent(all_of=bool(MANY))]
    api.ask_all(requests if MANY else requests[LEVELS.index(api.level) :: len(LEVELS)])
    assert api.failed() == []


def test_any_of_them_mixed_by_chance(api: Api, schema: dict[str, Any], known: dict[str, str]):
    requests = list(by_chance(Random(SEED), schema, known, MANY or 100))  # noqa: S311 - not for secrets
    api.ask_all(zip(requests, cycle((True, False)), strict=False))
    assert api.failed() == []


def test_no_hostile_request_caused_a_500_or_blocked_the_event_loop(api: Api, known: dict[str, str]):
    assert known
    statuses = Counter(asked.status for asked in api.asked)
    assert {200, 400, 401, 404, 405, 414, 422, 431} <= set(statuses), statuses
    assert statuses.keys() & {201, 202}, "nothing was done"
    assert api.failed() == []
    assert api.slow() == []
    assert api.ask(Sent("GET", b"/api/v1/me"), is_signed_in=True) == 200, "the token was lost on the way"
    lines = api.log.read_bytes().splitlines()
    assert max(map(len, lines)) < LAST_LINE_BYTES
    assert api.token.encode() not in b"".join(lines)
