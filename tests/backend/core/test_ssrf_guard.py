"""Outgoing calls never reach the internal network, by name or by redirect."""

from __future__ import annotations

import http.server
import socket
import threading
from typing import TYPE_CHECKING

import httpx
import pytest

from backend.core import ssrf_guard
from backend.core.settings_environment import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

INSIDE = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0.0.0.0",  # noqa: S104 - refused
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "::1",
    "::ffff:127.0.0.1",
    "fe80::1",
    "fc00::1",
    "2002:7f00:1::",
    "192.0.0.192",
    "168.63.129.16",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a9fe:a9fe",
    "::127.0.0.1",
    "::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "fec0::1",
    "localhost",
]


def settings(allowed: str = ""):
    return load_settings(outgoing_allow=allowed)


class Answering(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asked.append(self.headers["Host"])
        self.send_response(302 if self.path == "/away" else 200)
        if self.path == "/away":
            self.send_header("Location", f"http://127.0.0.2:{self.server.server_address[1]}/inside")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


asked: list[str] = []


@pytest.fixture
def inside() -> Iterator[int]:
    asked.clear()
    server = http.server.ThreadingHTTPServer(("0.0.0.0", 0), Answering)  # noqa: S104 - two loopback addresses
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("host", INSIDE)
def test_a_private_address_is_refused_in_every_notation(host: str):
    with pytest.raises(ssrf_guard.RefusedAddressError):
        ssrf_guard.checked_addresses(host, 80, [])


@pytest.mark.parametrize("host", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_a_public_address_is_allowed(host: str):
    assert ssrf_guard.checked_addresses(host, 443, []) == [host]


def test_a_private_host_is_refused_with_the_name_of_the_setting(inside: int):
    with (
        ssrf_guard.client(settings()) as client,
        pytest.raises(httpx.ConnectError, match="CASEBOOK_OUTGOING_ALLOW"),
    ):
        client.get(f"http://localhost:{inside}/")
    assert asked == []


def test_an_allowed_network_is_reached(inside: int):
    with ssrf_guard.client(settings("127.0.0.0/8, ::1/128")) as client:
        assert client.get(f"http://localhost:{inside}/").text == "ok"
    assert asked == [f"localhost:{inside}"]


def test_a_redirect_is_checked_like_the_first_address(inside: int):
    allowed = settings("127.0.0.1/32")
    with (
        ssrf_guard.client(allowed, follow_redirects=True) as client,
        pytest.raises(httpx.ConnectError, match=r"127\.0\.0\.2"),
    ):
        client.get(f"http://127.0.0.1:{inside}/away")
    assert asked == [f"127.0.0.1:{inside}"]


def test_dns_rebinding_connects_to_the_checked_address(inside: int, monkeypatch):
    # The resolver is the world's: first a public address, then one inside, as a rebinding name answers.
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])
    tried: list[str] = []
    row = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: [(*row, (text, inside)) for text in next(answers)]
    )

    def connect(address: tuple[str, int], *_: object, **__: object) -> None:
        tried.append(address[0])
        raise OSError("not from here")

    monkeypatch.setattr(socket, "create_connection", connect)
    with ssrf_guard.client(settings()) as client:
        for _ in range(2):
            with pytest.raises(httpx.ConnectError):
                client.get(f"http://rebinding.invalid:{inside}/")
    assert tried == ["93.184.216.34"]


def test_an_invalid_network_setting_stops_startup():
    with pytest.raises(Exception, match="CASEBOOK_OUTGOING_ALLOW must be comma-separated networks"):
        settings("10.0.0.0/99")
