"""Rate limits, counted in a real Valkey, on real connections."""

from __future__ import annotations

import itertools
import re
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING

import httpx
import pytest
import redis
from starlette.requests import Request

from backend import client
from backend.access.actions import Action
from backend.access.permission_matrix import endpoints
from backend.accounts import service as accounts
from backend.core.http import rate_limit_keys, rate_limits
from backend.core.http.rate_limit_keys import Sender, ValidSecrets, network_of
from tests.backend.applications import api_schema, create_app
from tests.backend.conftest import serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

ADDRESSES = (f"198.51.100.{number}" for number in itertools.count(1))


@pytest.fixture(autouse=True)
def _the_broker_may_take_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are not counted while the broker of a busy machine answers late."""
    monkeypatch.setattr(rate_limits, "ANSWER_SECONDS", 60.0)


@pytest.fixture
def broker(settings: Settings) -> Iterator[redis.Redis]:
    """A database of the broker that nothing else counts in, empty."""
    with redis.Redis(unix_socket_path=str(settings.run_dir / "valkey.sock"), db=7) as broker:
        broker.flushdb()
        yield broker


@pytest.fixture
def counted(app_settings: Settings, settings: Settings, broker: redis.Redis) -> Settings:
    """Settings with small budgets."""
    assert broker.dbsize() == 0
    return app_settings.model_copy(
        update={
            "broker_url": f"{settings.effective_broker_url}?virtual_host=7",
            "trusted_proxies": "127.0.0.1/32",
            "requests_per_minute": 4,
            "sends_per_minute": 6,
            "strangers_per_minute": 3,
            "guest_sends_per_minute": 2,
            "pages_per_minute": 5,
        }
    )


@pytest.fixture
def url(counted: Settings, sessions: sessionmaker[Session], store: Store) -> Iterator[str]:
    with serving(create_app(counted, sessions=sessions, store=store)) as url:
        yield url


@pytest.fixture
def come(sessions: sessionmaker[Session]) -> Iterator[Callable[..., httpx.Client]]:
    """Return what comes from an address nobody came from yet, with `token` or with one that holds."""
    opened = []

    def come(url: str, *, token: str | None = None) -> httpx.Client:
        with sessions.begin() as session:
            secret = accounts.create_api_token(session, name="test") if token is None else token
        headers = {"X-Forwarded-For": next(ADDRESSES)} | (
            {"Authorization": f"Bearer {secret}"} if secret else {}
        )
        opened.append(httpx.Client(base_url=f"{url}/api/v1", headers=headers))
        return opened[-1]

    yield come
    for one in opened:
        one.close()


def state(answer: httpx.Response) -> tuple[str, int]:
    """Return name and rest of the budget that an answer tells."""
    found = re.fullmatch(r'"(\w+)";r=(\d+);t=(\d+)', answer.headers["RateLimit"])
    assert found, answer.headers
    assert 1 <= int(found[3]) <= 60
    return found[1], int(found[2])


def known(web: httpx.Client) -> httpx.Client:
    """Ask once: a secret is counted by itself from the moment it was found to hold."""
    assert state(web.get("/me")) == ("strangers", 2)
    return web


def test_responses_carry_rate_limit_headers_and_429_carries_retry_after(url, come):
    web = known(come(url))
    answers = [web.get("/me") for _ in range(4)]
    assert [state(answer) for answer in answers] == [("requests", left) for left in (3, 2, 1, 0)]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"requests";q=4;w=60'}
    refused = web.get("/me")
    assert (refused.status_code, refused.headers["content-type"]) == (429, "application/problem+json")
    assert refused.json()["code"] == "TooManyRequests"
    assert state(refused) == ("requests", 0)
    wait = int(refused.headers["Retry-After"])
    assert 1 <= wait <= 60
    assert refused.json()["detail"] == (
        f"a session or token may make 4 requests a minute; try again in {wait} seconds"
    )


def test_processes_count_together(url, come, counted, sessions, store):
    first = known(come(url))
    with serving(create_app(counted, sessions=sessions, store=store)) as other:
        second = httpx.Client(base_url=f"{other}/api/v1", headers=first.headers)
        assert state(second.get("/me")) == ("strangers", 1)
        assert [state(web.get("/me"))[1] for web in (first, second, first, second)] == [3, 2, 1, 0]
        assert [web.get("/me").status_code for web in (first, second)] == [429, 429]
        second.close()


def test_evidence_has_a_budget_of_its_own(url, come):
    web = known(come(url))
    while web.get("/me").status_code == 200:
        pass
    sent = [web.put(f"/evidence/{n}.folded", content=b"a 1\n") for n in range(6)]
    assert [answer.status_code for answer in sent] == [202] * 6
    assert state(sent[-1]) == ("sending", 0)
    refused = web.post("/paste", json={"text": "a"})
    assert (refused.status_code, refused.json()["code"]) == (429, "TooManyRequests")
    assert "6 upload requests a minute" in refused.json()["detail"]


def test_only_evidence_endpoints_count_as_uploads():
    brings = {Action.EVIDENCE_ADD, Action.CASE_OPEN, Action.CASE_DROP}
    without = {
        "POST /api/v1/cases",
        "DELETE /api/v1/drop/uploads/{upload_id}",
        "DELETE /api/v1/uploads/{upload_id}",
        "GET /api/v1/uploads/{upload_id}",
        "POST /api/v1/evidence/{evidence_id}/retry",
    }
    for endpoint in endpoints(api_schema()):
        said = f"{endpoint.method} {endpoint.path}"
        is_sending = endpoint.action in brings and said not in without
        path = re.sub(r"\{\w+(:path)?\}", "x", endpoint.path)
        budget = rate_limits.budget_of(endpoint.method, path)
        is_guests = said in {"POST /api/v1/guest/paste", "POST /api/v1/guest/evidence"}
        assert budget == ("guests" if is_guests else "sending" if is_sending else "requests"), said


def test_requests_with_invalid_secrets_share_the_budget_of_their_ip(url, come):
    stranger = come(url, token="")
    responses = [stranger.get("/me", headers={"Authorization": f"Bearer made-up-{n}"}) for n in range(4)]
    assert [answer.status_code for answer in responses] == [401, 401, 401, 429]
    assert (
        "an IP address may make 3 requests without valid credentials a minute"
        in responses[-1].json()["detail"]
    )
    assert come(url, token="").get("/session/ways").status_code == 200, "another address is another sender"


def test_guest_uploads_are_counted_per_ip_with_or_without_credentials(url, come):
    for web in (come(url, token=""), known(come(url))):
        sent = [web.post("/guest/paste", json={"text": f"{number}"}) for number in range(3)]
        assert [answer.status_code for answer in sent] == [202, 202, 429]
        assert "2 guest pastes a minute" in sent[-1].json()["detail"]
        web.cookies.clear()
        assert web.post("/guest/evidence", files={"files": b"x"}).status_code == 429


def test_a_valid_token_is_unaffected_by_invalid_ones_from_the_same_ip(url, come):
    web = known(come(url))
    while web.get("/session/ways", headers={"Authorization": "Bearer x"}).status_code != 429:
        pass
    assert state(web.get("/me")) == ("requests", 3)


def test_health_checks_are_not_counted(url, come):
    stranger = come(url, token="")
    for _ in range(5):
        answer = stranger.get("/health")
        assert answer.status_code == 200
        assert "RateLimit" not in answer.headers


def test_pages_and_assets_are_limited_per_address(url, come):
    for web in (come(url, token=""), known(come(url))):
        with httpx.Client(base_url=url, headers=web.headers) as pages:
            answers = [pages.get(path) for path in ("/", "/cases/7", "/assets/no.js", "/nothing", "/other")]
            assert [answer.status_code for answer in answers] == [200, 200, 404, 404, 404]
            assert [state(answer) for answer in answers] == [("pages", left) for left in (4, 3, 2, 1, 0)]
            refused = pages.get("/")
            assert (refused.status_code, refused.json()["code"]) == (429, "TooManyRequests")
            assert "5 requests for pages and static files a minute" in refused.json()["detail"]
            assert 1 <= int(refused.headers["Retry-After"]) <= 60
        assert web.get("/session/ways").status_code == 200, "pages take nothing from requests to the API"


def test_rate_limits_are_off_while_the_broker_is_unavailable(counted, sessions, store, come, tmp_path):
    away = counted.model_copy(update={"broker_url": f"redis+socket://{tmp_path}/nothing.sock"})
    with serving(create_app(away, sessions=sessions, store=store)) as url:
        web = come(url)
        answers = [web.get("/me") for _ in range(10)]
    assert {answer.status_code for answer in answers} == {200}
    assert all("RateLimit" not in answer.headers for answer in answers)


def test_a_limit_of_zero_disables_it(app_settings, sessions, store, come):
    with serving(create_app(app_settings, sessions=sessions, store=store)) as url:
        assert "RateLimit" not in come(url).get("/me").headers


def test_the_client_waits_after_429_on_reads(url, come, broker, monkeypatch):
    web = known(come(url))
    token = web.headers["Authorization"].removeprefix("Bearer ")
    slept = []

    def sleep(seconds: float) -> None:
        """A minute goes by at the broker."""
        slept.append(seconds)
        broker.flushdb()

    monkeypatch.setattr(client, "time", SimpleNamespace(sleep=sleep, monotonic=time.monotonic))
    with client.Client(url, token=token) as casebook:
        assert [casebook.me().name for _ in range(10)] == ["owner"] * 10
        assert slept
        assert all(1 <= seconds <= 60 for seconds in slept)


def test_only_the_looked_up_secret_is_marked_valid():
    scope = Request(
        {"type": "http", "headers": [(b"authorization", b"Bearer one")], "client": ("192.0.2.1", 1)}
    ).scope
    sender = scope[rate_limit_keys.SCOPE_KEY] = Sender(scope)
    rate_limit_keys.mark_valid(scope, "another")
    assert not sender.is_valid
    rate_limit_keys.mark_valid(scope, "one")
    assert sender.is_valid


def test_a_secret_is_forgotten_after_ten_minutes_and_when_there_are_too_many(monkeypatch):
    clock = [0.0]
    known = ValidSecrets(now=lambda: clock[0])
    known.add("a")
    clock[0] = rate_limit_keys.VALID_SECONDS - 1
    assert "a" in known
    clock[0] = rate_limit_keys.VALID_SECONDS + 1
    assert "a" not in known
    monkeypatch.setattr(rate_limit_keys, "MAX_VALID", 2)
    for secret in "abc":
        known.add(secret)
    assert [secret in known for secret in "abc"] == [False, True, True]


@pytest.mark.parametrize(
    ("address", "sender"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_an_ipv6_network_of_64_bits_is_one_sender(address: str, sender: str):
    assert network_of(address) == sender
