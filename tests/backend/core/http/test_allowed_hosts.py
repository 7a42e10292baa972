"""Requests for a host name that is not ours are answered 421."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import httpx
import pytest

from backend.app import create_app
from backend.core.http.allowed_hosts import name_of
from tests.backend.conftest import serving

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def public(app_settings, sessions, store) -> Iterator[str]:
    given = {"public_url": "https://casebook.example.com", "allowed_hosts": "casebook.lan, db7"}
    app = create_app(app_settings.model_copy(update=given), sessions=sessions, store=store)
    with serving(app) as url:
        yield url


OURS = [
    "casebook.example.com",
    "CASEBOOK.example.com:443",
    "casebook.lan",
    "db7:8080",
    "localhost",
    "[::1]:80",
]
OTHERS = [
    "evil.example",
    "casebook.example.com.evil.example",
    "192.0.2.7",
    "169.254.169.254",
    "a@localhost",
    "localhost:80@evil.example",
    "casebook.example.com:x@evil.example",
    "[::1]evil.example",
    "[::1]:80@evil.example",
    "localhost/evil.example",
    ".",
    "*",
]


def test_our_names_are_served_and_probes_by_any_name(public):
    assert httpx.get(f"{public}/api/v1/health").status_code == 200, "the address of the connection"
    for host in OURS:
        assert httpx.get(f"{public}/api/v1/health", headers={"Host": host}).status_code == 200, host
    for path in ("/healthz", "/readyz"):
        assert httpx.get(f"{public}{path}", headers={"Host": "10.0.0.7"}).status_code != 421


def test_any_other_name_is_refused_on_every_path(public):
    for host, path in itertools.product(OTHERS, ["/api/v1/health", "/", "/api/v1/cases"]):
        answer = httpx.get(f"{public}{path}", headers={"Host": host})
        assert (answer.status_code, answer.json()["code"]) == (421, "UnknownHost"), (host, path)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert host not in answer.text


@pytest.mark.parametrize(
    ("host", "name"),
    [("a.example", "a.example"), ("A.example.:80", "a.example"), ("[::1]:80", "::1"), ("[::1]", "::1")],
)
def test_a_host_header_holds_a_name_and_a_port(host, name):
    assert name_of(host) == name
