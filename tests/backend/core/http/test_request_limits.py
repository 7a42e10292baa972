"""Request limits, on real connections."""

from __future__ import annotations

import json
import socket
import time
from contextlib import suppress
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import httpx
import pytest

from backend.accounts import service as accounts
from backend.core.http import request_limits, server
from tests.backend.applications import create_app
from tests.backend.cases.listening import happen
from tests.backend.conftest import PATIENCE_SECONDS, serving
from tests.backend.people import case
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator


def connect(address: str) -> socket.socket:
    host, port = address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS)


def everything(peer: socket.socket) -> str:
    return b"".join(iter(lambda: peer.recv(65536), b"")).decode()


def sending_ends(peer: socket.socket) -> bool:
    """Send a byte every tenth of a second; say whether the other side ends it within five minutes."""
    try:
        for _ in range(3000):
            peer.sendall(b"a")
            time.sleep(0.1)
    except OSError:
        return True
    return False


def problem(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == answer.status_code
    return answer.status_code, answer.json()["code"]


def test_a_url_that_is_too_long_is_answered_414(web):
    assert problem(web.get("/cases", params={"q": "x" * request_limits.MAX_TARGET_BYTES})) == (
        414,
        "AddressTooLong",
    )


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Long": "x" * request_limits.MAX_HEADER_BYTES},
        {f"X-{n}": "" for n in range(request_limits.MAX_HEADERS)},
        {"X-Longer": "x" * (2 * server.MAX_HEAD_BYTES)},
    ],
    ids=["long", "many", "longer than is read"],
)
def test_headers_that_are_too_long_or_too_many_are_answered_431(web, headers: dict[str, str]):
    assert problem(web.get("/health", headers=headers)) == (431, "HeadersTooLarge")


def test_a_too_large_content_length_is_refused_before_the_body(address, token):
    size = request_limits.MAX_BODY_BYTES + 1
    head = (
        f"POST /api/v1/cases HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: {size}\r\n\r\n"
    )
    with connect(address) as peer:
        peer.sendall(head.encode())
        response = ""
        while not response.endswith("}"):
            response += peer.recv(65536).decode()
    assert response.startswith("HTTP/1.1 413 ")
    assert '"code":"BodyTooLarge"' in response


def test_a_chunked_body_is_counted(web):
    pieces = (b" " * 65536 for _ in range(request_limits.MAX_BODY_BYTES // 65536 + 1))
    answer = web.post("/cases", content=pieces, headers={"Content-Type": "application/json"})
    assert problem(answer) == (413, "BodyTooLarge")
    assert "1,048,576 bytes" in answer.json()["detail"]


def test_the_paste_limit_allows_for_json_escapes(web, app_settings):
    most = "\n" * app_settings.max_paste_bytes
    assert web.post("/paste", json={"text": most}).status_code == 202
    assert problem(web.post("/paste", json={"text": most + "\n"})) == (413, "TooLarge")
    assert problem(web.post("/paste", json={"text": "\n" * (2 * request_limits.MAX_BODY_BYTES)})) == (
        413,
        "BodyTooLarge",
    )


def test_evidence_uploads_have_their_own_limit(web, app_settings):
    more_than_a_body = b"a;b 1\n" * (request_limits.MAX_BODY_BYTES // 4)
    assert len(more_than_a_body) > request_limits.MAX_BODY_BYTES
    assert web.put("/evidence/a.folded", content=more_than_a_body).status_code == 202
    too_much = b"a" * (app_settings.max_evidence_bytes + 1)
    assert problem(web.put("/evidence/b.folded", content=too_much)) == (413, "TooLarge")


class HastyWithHeads(server.Protocol):
    head_seconds = 0.5


class HastyWithRests(server.Protocol):
    linger_seconds = 0.5


@pytest.fixture
def hasty(app, request) -> Iterator[str]:
    with serving(app, protocol=request.param) as url:
        yield url


@pytest.fixture
def hasty_with_bodies(address, monkeypatch) -> str:
    monkeypatch.setattr(request_limits.RequestLimits, "silence_seconds", 0.5)
    return address


@pytest.mark.parametrize("hasty", [HastyWithHeads], indirect=True)
def test_an_endless_head_is_refused_with_a_reason(hasty):
    response = ""
    # A connection on which a busy machine sent nothing in time is closed without an answer.
    while not response:
        with connect(hasty) as peer, suppress(ConnectionError):
            peer.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            response = everything(peer)
    assert response.startswith("HTTP/1.1 408 ")
    assert '"code":"RequestTooSlow"' in response


@pytest.mark.parametrize("hasty", [HastyWithHeads], indirect=True)
def test_a_silent_connection_is_closed(hasty):
    with connect(hasty) as peer:
        assert everything(peer) == ""


def test_a_stalled_body_is_answered_408(hasty_with_bodies, token):
    head = (
        f"POST /api/v1/cases HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        'Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"title"'
    )
    with connect(hasty_with_bodies) as peer:
        peer.sendall(head.encode())
        response = everything(peer)
    assert response.startswith("HTTP/1.1 408 ")
    assert json.loads(response.partition("\r\n\r\n")[2])["code"] == "BodyTooSlow"


def test_a_trickling_upload_is_aborted_and_leaves_no_file(hasty_with_bodies, token, app_settings):
    head = (
        f"PUT /api/v1/evidence/a HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        "Content-Length: 4000000\r\n\r\n"
    )
    with connect(hasty_with_bodies) as peer:
        peer.sendall(head.encode())
        assert sending_ends(peer)
    # The connection ends before what was received is deleted.
    until(lambda: list(app_settings.staging_dir.iterdir()) == [])


def test_an_event_stream_is_not_a_slow_body(app_settings, own_sessions, store, monkeypatch):
    monkeypatch.setattr(request_limits.RequestLimits, "silence_seconds", 0.5)
    with own_sessions.begin() as session:
        headers = {"Authorization": f"Bearer {accounts.create_api_token(session, name='listening')}"}
    with (
        serving(create_app(app_settings, sessions=own_sessions, store=store)) as url,
        httpx.Client(base_url=f"{url}/api/v1", headers=headers) as web,
    ):
        made = case(own_sessions)
        with web.stream("GET", f"/cases/{made.number}/events") as answer:
            lines = answer.iter_lines()
            next(lines)
            time.sleep(3 * request_limits.RequestLimits.silence_seconds)
            happen(own_sessions, made.id, "note.written")
            assert any("note.written" in line for line in lines)


@pytest.mark.parametrize("hasty", [HastyWithRests], indirect=True)
def test_a_refused_body_is_read_for_a_limited_time_only(hasty):
    with connect(hasty) as peer:
        peer.sendall(b"PUT /api/v1/evidence/a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000000\r\n\r\n")
        assert peer.recv(65536).startswith(b"HTTP/1.1 401 ")
        assert sending_ends(peer)


def test_a_connection_that_paused_like_a_person_is_answered(address):
    host, port = address.removeprefix("http://").split(":")
    connection = HTTPConnection(host, int(port), timeout=PATIENCE_SECONDS)
    used = set()
    for pause in (0.0, 6.0):
        time.sleep(pause)
        connection.request("GET", "/healthz")
        used.add(connection.sock)
        assert connection.getresponse().read() == b"ok\n"
    connection.close()
    assert len(used) == 1
