"""The address of a client is that of the peer, or what a trusted proxy says it is."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import TYPE_CHECKING

import httpx
import pytest
import redis

from backend.app import create_app
from backend.core.http import rate_limits
from backend.core.http.forwarded_headers import ForwardedHeaders
from tests.backend.conftest import serving

if TYPE_CHECKING:
    from collections.abc import Iterator


def client_of(peer: str, *chain: str, trusted: str = "", proto: str = "") -> tuple[str, str]:
    """Return address and scheme of a request of `peer` with these X-Forwarded-For headers."""
    seen = []

    async def app(scope, receive, send) -> None:
        del receive, send
        seen.append((scope["client"][0], scope["scheme"]))

    headers = [(b"x-forwarded-for", value.encode()) for value in chain]
    headers += [(b"x-forwarded-proto", proto.encode())] if proto else []
    state = SimpleNamespace(settings=SimpleNamespace(trusted_proxies=trusted))
    scope = {
        "type": "http",
        "client": (peer, 4711),
        "scheme": "http",
        "headers": headers,
        "app": SimpleNamespace(state=state),
    }
    asyncio.run(ForwardedHeaders(app)(scope, None, None))
    return seen[0]


FRONT = "172.30.77.0/28"


@pytest.mark.parametrize(
    ("peer", "chain", "trusted", "client"),
    [
        ("127.0.0.1", ("203.0.113.7",), "", "127.0.0.1"),
        ("127.0.0.1", ("203.0.113.7",), "127.0.0.1/32", "203.0.113.7"),
        ("203.0.113.9", ("198.51.100.1",), FRONT, "203.0.113.9"),
        ("172.30.77.2", ("192.0.2.66, 203.0.113.7",), FRONT, "203.0.113.7"),
        ("172.30.77.2", ("192.0.2.66, 203.0.113.7, 10.8.0.1",), f"{FRONT},10.8.0.1/32", "203.0.113.7"),
        ("172.30.77.2", ("192.0.2.66, 203.0.113.7, 10.8.0.1",), FRONT, "10.8.0.1"),
        ("172.30.77.2", ("192.0.2.66", "203.0.113.7"), FRONT, "203.0.113.7"),
        ("172.30.77.2", ("203.0.113.7, <script>",), FRONT, "172.30.77.2"),
        ("172.30.77.2", ("",), FRONT, "172.30.77.2"),
        ("172.30.77.2", ("172.30.77.3",), FRONT, "172.30.77.3"),
        ("172.30.77.2", ("203.0.113.7:4711",), FRONT, "203.0.113.7"),
        ("172.30.77.2", ("[2001:db8::1]:4711",), FRONT, "2001:db8::1"),
        ("::ffff:172.30.77.2", ("2001:db8::1",), FRONT, "2001:db8::1"),
    ],
)
def test_the_client_is_the_last_address_that_no_trusted_proxy_has(peer, chain, trusted, client):
    assert client_of(peer, *chain, trusted=trusted)[0] == client


@pytest.mark.parametrize(
    ("peer", "proto", "scheme"),
    [
        ("127.0.0.1", "https", "http"),
        ("172.30.77.2", "https", "https"),
        ("172.30.77.2", "HTTPS", "https"),
        ("172.30.77.2", "javascript", "http"),
    ],
)
def test_the_scheme_is_taken_from_a_trusted_proxy_only(peer, proto, scheme):
    assert client_of(peer, trusted=FRONT, proto=proto)[1] == scheme


def test_an_unlisted_proxy_is_named_in_the_log_once(caplog):
    with caplog.at_level(logging.WARNING):
        client_of("127.0.0.1", "203.0.113.7")
    [record] = caplog.records
    assert record.getMessage() == (
        "X-Forwarded-For and X-Forwarded-Proto of 127.0.0.1 are ignored: "
        "add its address to CASEBOOK_TRUSTED_PROXIES if it is your proxy"
    )


@pytest.fixture
def guests(app_settings, settings, sessions, store, monkeypatch) -> Iterator[httpx.Client]:
    monkeypatch.setattr(rate_limits, "ANSWER_SECONDS", 60.0)
    with redis.Redis(unix_socket_path=str(settings.run_dir / "valkey.sock"), db=6) as broker:
        broker.flushdb()
    given = {
        "guest_paste": True,
        "guest_sends_per_minute": 2,
        "broker_url": f"{settings.effective_broker_url}?virtual_host=6",
    }
    app = create_app(app_settings.model_copy(update=given), sessions=sessions, store=store)
    with serving(app) as url, httpx.Client(base_url=f"{url}/api/v1") as client:
        yield client


def test_forged_addresses_do_not_pass_the_limit_of_guests(guests):
    answers = [
        guests.post(
            "/guest/paste", json={"text": "main 1\n"}, headers={"X-Forwarded-For": f"203.0.113.{number}"}
        )
        for number in range(4)
    ]
    assert [answer.status_code for answer in answers].count(429) >= 2
