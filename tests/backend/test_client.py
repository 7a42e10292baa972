"""The client retries after `Retry-After` with the same request, against a real server."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from backend.client import MAX_WAITS, Client, ClientError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Busy(BaseHTTPRequestHandler):
    """Refuses the first requests as an overloaded service does, then answers 404 with what was sent."""

    protocol_version = "HTTP/1.1"
    refusals = 0
    refusal = (503, {"Retry-After": "0"})
    bodies: tuple[bytes, ...] = ()
    url = ""

    def answer(self) -> None:
        kind = type(self)
        kind.bodies += (self.rfile.read(int(self.headers.get("Content-Length", "0"))),)
        status, headers = kind.refusal if len(kind.bodies) <= kind.refusals else (404, {})
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_PUT = do_PATCH = answer  # noqa: N815 - the names that http.server calls

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def busy() -> Iterator[type[Busy]]:
    """A handler of this test's own, served at its `url`."""
    handler: type[Busy] = type("BusyOnce", (Busy,), {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        handler.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield handler
        server.shutdown()
        thread.join()


def status_of(client: Client, call: str, *arguments: object) -> int:
    with client, pytest.raises(ClientError) as refused:
        getattr(client, call)(*arguments)
    return refused.value.status


def test_reads_are_retried_after_503(busy):
    busy.refusals = 2
    assert status_of(Client(busy.url, token="t"), "me") == 404
    assert len(busy.bodies) == 3


def test_a_retried_file_is_sent_from_its_start(busy, tmp_path: Path):
    busy.refusals = 1
    file = tmp_path / "perf.script"
    file.write_bytes(b"a 1\n" * 1000)
    assert status_of(Client(busy.url, token="t"), "put_file", file) == 404
    assert busy.bodies == (file.read_bytes(), file.read_bytes())


def test_a_body_that_cannot_be_read_twice_is_refused_at_once(busy):
    busy.refusals = 1
    assert status_of(Client(busy.url, token="t"), "send_bytes", "uploads/1", 0, iter([b"ab"]), 2) == 503


def test_an_outage_without_retry_after_is_reported_at_once(busy):
    busy.refusals, busy.refusal = 9, (503, {})
    assert status_of(Client(busy.url, token="t"), "me") == 503
    assert len(busy.bodies) == 1


def test_the_client_gives_up_in_the_end(busy):
    busy.refusals = 99
    assert status_of(Client(busy.url, token="t"), "me") == 503
    assert len(busy.bodies) == 1 + MAX_WAITS
