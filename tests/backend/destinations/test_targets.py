"""No event is sent into the internal network, however its address is written, resolved or redirected to."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from backend.core.errors import InvalidRequestError
from backend.core.settings_environment import load_settings
from backend.destinations import calls, sending, signing, targets
from backend.models.base import uuid7

REFUSED = {
    "loopback": "https://127.0.0.1/",
    "loopback, two parts": "https://127.1/",
    "loopback, decimal": "https://2130706433/",
    "loopback, octal": "https://0177.0.0.1/",
    "loopback, one octal number": "https://017700000001/",
    "loopback, hexadecimal": "https://0x7f000001/",
    "loopback, hexadecimal parts": "https://0x7f.0x0.0x0.0x1/",
    "loopback, another address of it": "https://127.8.8.8/",
    "loopback, full-width digits": "https://１２７.０.０.１/",
    "loopback, ideographic stops": "https://127。0。0。1/",
    "loopback by name": "https://localhost/",
    "loopback, IPv6": "https://[::1]/",
    "mapped in IPv6": "https://[::ffff:127.0.0.1]/",
    "mapped, hexadecimal": "https://[::ffff:7f00:1]/",
    "compatible IPv6": "https://[::127.0.0.1]/",
    "6to4 of loopback": "https://[2002:7f00:1::]/",
    "NAT64 of metadata": "https://[64:ff9b::a9fe:a9fe]/",
    "local NAT64": "https://[64:ff9b:1::a9fe:a9fe]/",
    "Teredo": "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "unspecified": "https://0.0.0.0/",
    "unspecified, short": "https://0/",
    "unspecified, IPv6": "https://[::]/",
    "private 10": "https://10.0.0.1/",
    "private 172": "https://172.31.255.254/",
    "private 192": "https://192.168.1.1/",
    "CGNAT": "https://100.64.0.1/",
    "link-local": "https://169.254.0.1/",
    "metadata": "https://169.254.169.254/latest/meta-data/",
    "metadata, decimal": "https://2852039166/",
    "metadata of Oracle": "https://192.0.0.192/",
    "metadata of Alibaba": "https://100.100.100.200/",
    "platform of Azure": "https://168.63.129.16/",
    "metadata, IPv6": "https://[fd00:ec2::254]/",
    "multicast": "https://224.0.0.1/",
    "multicast, IPv6": "https://[ff02::1]/",
    "broadcast": "https://255.255.255.255/",
    "reserved": "https://240.0.0.1/",
    "documentation": "https://192.0.2.1/",
    "benchmarking": "https://198.18.0.1/",
    "link-local, IPv6": "https://[fe80::1]/",
    "unique local": "https://[fc00::1]/",
    "site-local": "https://[fec0::1]/",
    "a name of the cloud": "https://metadata.google.internal/",
    "a name with an internal address": "https://intranet.example/",
    "a name with one internal address of two": "https://mixed.example/",
    "IDN with an internal address": "https://bücher.example/",
    "no such name": "https://nowhere.invalid/",
    "user name before another host": "https://hooks.example.com@127.0.0.1/",
    "credentials": "https://user:pw@public.example/",
    "backslash": "https://public.example\\@127.0.0.1/",
    "unencrypted": "http://public.example/",
    "port of mail": "https://public.example:25/",
    "port of SSH": "https://public.example:22/",
    "no port": "https://public.example:99999/",
    "fragment": "https://public.example/#x",
    "file": "file:///etc/passwd",
    "gopher": "gopher://public.example/",
    "no scheme": "public.example/hook",
    "no host": "https:///hook",
    "too long a label": "https://" + "ü" * 70 + ".example/",
}
ADMITTED = [
    "https://public.example/hook",
    "https://public.example:8443/",
    "https://93.184.216.34/",
    "https://xn--bcher-kva.example.org/",
]
WORLD = {
    "metadata.google.internal": ["169.254.169.254"],
    "intranet.example": ["10.1.2.3"],
    "mixed.example": ["93.184.216.34", "192.168.0.7"],
    "xn--bcher-kva.example": ["10.0.0.9"],
    "xn--bcher-kva.example.org": ["93.184.216.34"],
    "public.example": ["93.184.216.34"],
}
"""What the resolver of the world answers; literal addresses are read by the real one."""


@pytest.fixture
def world(monkeypatch):
    real = socket.getaddrinfo

    def resolve(host, port, *_: object, **__: object):
        if host in WORLD:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (text, port)) for text in WORLD[host]]
        if str(host).endswith(".invalid"):
            raise socket.gaierror("Name or service not known")
        return real(host, port, *_, **__)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("url", REFUSED.values(), ids=REFUSED)
def test_it_is_refused_when_it_is_entered(url):
    with pytest.raises(InvalidRequestError):
        targets.check(load_settings(), url)


@pytest.mark.usefixtures("world")
def test_public_urls_are_admitted():
    refused = []
    for url in ADMITTED:
        try:
            targets.check(load_settings(), url)
        except InvalidRequestError as error:
            refused.append((url, str(error)))
    assert refused == []


def attempt(url: str, allowed: str = "") -> calls.Answer:
    settings, row_id = load_settings(outgoing_allow=allowed, seal_key="5e" * 32), uuid7()
    sealed = signing.seal(settings, row_id, signing.Secrets(signing.mint()))
    return sending.send(settings, sending.Call(row_id, uuid7(), url, sealed, b"{}"))


@pytest.fixture
def tried(monkeypatch):
    """The addresses that a connection was tried to; nothing is connected."""
    found: list[str] = []

    def connect(address: tuple[str, int], *_: object, **__: object) -> None:
        found.append(address[0])
        raise OSError("not from here")

    monkeypatch.setattr(socket, "create_connection", connect)
    return found


@pytest.mark.usefixtures("world")
def test_what_was_stored_before_is_refused_at_the_connection(tried):
    for name, url in REFUSED.items():
        answer = attempt(url)
        assert (answer.status, answer.error != "") == (None, True), name
    assert set(tried) <= {"93.184.216.34"}


def test_a_name_that_rebinds_is_connected_where_it_was_checked(tried, monkeypatch):
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])
    row = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: [(*row, (text, 443)) for text in next(answers)]
    )
    targets.check(load_settings(), "https://rebinding.example/")
    assert "internal address" in attempt("https://rebinding.example/").error
    assert tried == []


def test_an_allowed_network_is_called_without_tls_but_not_its_neighbour(receiver):
    targets.check(load_settings(outgoing_allow="127.0.0.1/32"), receiver.url)
    assert attempt(receiver.url, "127.0.0.1/32").status == 204
    with pytest.raises(InvalidRequestError):
        targets.check(load_settings(outgoing_allow="127.0.0.1/32"), receiver.url.replace("0.0.1", "0.0.2"))


@pytest.mark.parametrize(
    "place", ["http://127.0.0.2:{port}/", "http://169.254.169.254/", "file:///etc/passwd", "//127.0.0.1/"]
)
def test_a_redirect_is_not_followed_anywhere(receiver, place):
    port = receiver.url.rsplit(":", 1)[1].split("/")[0]
    receiver.answer = lambda _: (302, {"Location": place.format(port=port)}, b"")
    assert attempt(receiver.url, "127.0.0.0/8").status == 302
    assert len(receiver.requests) == 1


def test_a_receiver_that_sends_a_byte_now_and_then_ends_at_the_deadline(monkeypatch):
    monkeypatch.setattr(calls, "TOTAL_SECONDS", 0.5)
    listener = socket.create_server(("127.0.0.1", 0))

    pause = threading.Event()

    def drip() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            for _ in range(1200):
                pause.wait(0.05)
                try:
                    connection.sendall(b"x-more: x\r\n")
                except OSError:
                    return

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    began = time.monotonic()
    answer = attempt(f"http://127.0.0.1:{listener.getsockname()[1]}/", "127.0.0.1/32")
    assert "too long as a whole" in answer.error or "timed out" in answer.error
    assert time.monotonic() - began < 30
    thread.join()
    listener.close()


def test_a_huge_answer_is_cut(receiver):
    receiver.answer = lambda _: (200, {}, b"x" * 5_000_000)
    answer = attempt(receiver.url, "127.0.0.1/32")
    assert (answer.status, len(answer.head), answer.error) == (200, calls.HEAD_BYTES, "")
