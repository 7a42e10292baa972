"""OpenID Connect login against a real provider: discovery, PKCE, nonce, key rotation, logout."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import select, text

from backend.core.audit_entry import AuditEntry
from backend.models import Account, Role
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.backend.people import person
from tests.oidc_provider import SEEN_LONG_AGO, SUBJECT, bound_socket, running_provider

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator


LOOPBACK = "127.0.0.0/8,::1/128"
CLIENT = {"oidc_client_id": "casebook", "oidc_client_secret": SecretStr("known to both")}


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    with bound_socket() as bound, running_provider(bound) as address:
        yield address


@pytest.fixture
def bound() -> Iterator[socket.socket]:
    """The port of a provider that a test starts itself."""
    with bound_socket() as bound:
        yield bound


def address_of(bound: socket.socket) -> str:
    return f"http://localhost:{bound.getsockname()[1]}"


@pytest.fixture
def away(app_settings, sessions, store, provider) -> Iterator[httpx.Client]:
    """A browser at an instance that has the provider."""
    given = {"oidc_issuer": provider, **CLIENT, "oidc_name": "Company", "outgoing_allow": LOOPBACK}
    app = create_app(app_settings.model_copy(update=given), sessions=sessions, store=store)
    with serving(app) as url, httpx.Client(base_url=f"{url}/api/v1") as client:
        yield client


def consent(
    client: httpx.Client, subject: str = SUBJECT, leads_to: str = "/cases/7", *, confirm: bool = False
) -> str:
    """Leave for the provider and say yes there; return the address it sends the browser back to."""
    left = client.get("/session/oidc", params={"leads_to": leads_to, "confirm": confirm})
    assert left.status_code == 303
    asked = parse_qs(urlsplit(left.headers["location"]).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert {"nonce", "state", "code_challenge"} <= set(asked)
    assert (asked.get("prompt"), asked.get("max_age")) == ((["login"], ["0"]) if confirm else (None, None))
    said = httpx.post(left.headers["location"], data={"sub": subject})
    assert said.status_code in {302, 303}
    return said.headers["location"]


def test_a_provider_account_signs_in_and_is_recognised_the_next_time(away, sessions):
    assert away.get("/session/ways").json() == {"oidc": "Company"}
    back = away.get(consent(away))
    assert (back.status_code, back.headers["location"]) == (303, "/cases/7")
    me = away.get("/me").json()
    assert (me["name"], me["role"], me["signed_in_by"]) == ("ada@example.com", "viewer", "session")
    away.cookies.clear()
    away.get(consent(away))
    assert away.get("/me").json()["id"] == me["id"]
    with sessions() as session:
        entered = select(AuditEntry.subject).where(AuditEntry.action == "sign-in")
        ways = session.scalars(entered.order_by(AuditEntry.number.desc()).limit(2)).all()
        assert ways == ["OpenID Connect", "OpenID Connect"]


def test_a_name_conflict_does_not_take_over_an_account(away, sessions):
    mine = person(sessions, "eve@example.com", Role.ADMIN)
    away.get(consent(away, "eve@example.com"))
    me = away.get("/me").json()
    assert (me["name"], me["role"]) == ("eve@example.com 2", "viewer")
    assert me["id"] != str(mine.id)


def test_a_callback_is_valid_once_and_in_the_browser_that_started_it(away):
    address = consent(away)
    other = httpx.get(address)
    assert (other.status_code, "another browser" in other.json()["detail"]) == (401, True)
    assert away.get(address).status_code == 303
    again = away.get(address)
    assert (again.status_code, again.json()["code"]) == (401, "LoginExpired")


def test_pkce_rejects_the_code_of_another_login(away):
    stolen = parse_qs(urlsplit(consent(away, "victim@example.com")).query)["code"][0]
    mine = urlsplit(consent(away, "mallory@example.com"))
    state = parse_qs(mine.query)["state"][0]
    answer = away.get("/session/oidc/callback", params={"code": stolen, "state": state})
    assert (answer.status_code, "refused the code: invalid_grant" in answer.json()["detail"]) == (401, True)


def test_an_id_token_with_another_nonce_is_invalid(away, sessions):
    address = consent(away)
    with sessions.begin() as session:
        session.execute(text("update oidc_flow set nonce = 'another'"))
    answer = away.get(address)
    assert (answer.status_code, "ID token is invalid" in answer.json()["detail"]) == (401, True)
    assert away.get("/me").status_code == 401


def test_login_does_not_redirect_to_another_site(away):
    for elsewhere in ("https://evil.example/", "//evil.example", "/\\evil.example"):
        back = away.get(consent(away, leads_to=elsewhere))
        assert back.headers["location"] == "/"


def test_a_disabled_account_stays_disabled(away, sessions):
    away.get(consent(away, "ben@example.com"))
    with sessions.begin() as session:
        session.execute(text("update account set disabled_at = now() where name = 'ben@example.com'"))
    assert away.get(consent(away, "ben@example.com")).status_code == 401


def test_signing_out_ends_both_sessions(provider, away):
    away.get(consent(away))
    ended = away.post("/session/oidc/end").json()["url"]
    assert ended.startswith(f"{provider}/oauth2/end_session?")
    assert httpx.get(ended).status_code == 200
    assert away.get("/me").status_code == 401


def test_a_denial_by_the_provider_is_reported_and_signs_nobody_in(away):
    denied = {"error": "access_denied", "error_description": "the user said no", "state": "x", "iss": "x"}
    answer = away.get("/session/oidc/callback", params=denied)
    assert (answer.status_code, "access_denied" in answer.json()["detail"]) == (401, True)


def test_a_refused_browser_is_redirected_with_the_error_code_only(away, sessions):
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    said = {"error": "access_denied<script>", "state": "x"}
    refused = away.get("/session/oidc/callback", params=said, headers=browser)
    assert (refused.status_code, refused.headers["location"]) == (
        303,
        "/sign-in?refused=DeniedByProvider&next=%2F",
    )
    stale = away.get("/session/oidc/callback", params={"code": "x", "state": "x"}, headers=browser)
    assert stale.headers["location"] == "/sign-in?refused=LoginExpired&next=%2F"
    with sessions() as session:
        tried = select(AuditEntry.is_refused).where(AuditEntry.action == "sign-in")
        assert session.scalars(tried.order_by(AuditEntry.number.desc()).limit(2)).all() == [True, True]


def test_a_rotated_provider_key_is_fetched_again(app_settings, sessions, store, bound):
    given = {"oidc_issuer": address_of(bound), **CLIENT, "outgoing_allow": LOOPBACK}
    app = create_app(app_settings.model_copy(update=given), sessions=sessions, store=store)
    with serving(app) as url, httpx.Client(base_url=f"{url}/api/v1") as client:
        away = client.get("/session/oidc")
        assert (away.status_code, away.json()["code"]) == (503, "Unavailable")
        seen = client.get("/session/oidc", params={"leads_to": "/library"}, headers={"Accept": "text/html"})
        assert seen.headers["location"] == "/sign-in?refused=Unavailable&next=%2Flibrary"
        for _ in range(2):
            with running_provider(bound):
                assert client.get(consent(client)).status_code == 303
                client.cookies.clear()


@pytest.mark.parametrize("ends", list(product(["", "/"], repeat=2)), ids=lambda ends: f"{ends[0]} {ends[1]}")
def test_an_issuer_may_end_with_a_slash(app_settings, sessions, store, bound, ends):
    configured, stated = ends
    given = {"oidc_issuer": f"{address_of(bound)}{configured}", **CLIENT, "outgoing_allow": LOOPBACK}
    app = create_app(app_settings.model_copy(update=given), sessions=sessions, store=store)
    with (
        running_provider(bound, *(["slash"] if stated else [])),
        serving(app) as url,
        httpx.Client(base_url=f"{url}/api/v1") as client,
    ):
        assert client.get(consent(client)).status_code == 303
        assert client.get("/me").json()["name"] == SUBJECT
    with sessions() as session:
        issuers = select(Account.oidc_issuer).where(Account.oidc_subject == SUBJECT)
        assert session.scalars(issuers).all() == [f"{address_of(bound)}{stated}"]


def test_a_login_counts_as_recent_from_the_time_that_the_provider_states(away):
    away.get(consent(away))
    assert away.post("/tokens", json={"name": "ci", "scopes": ["read"], "days": 1}).status_code == 201
    away.cookies.clear()
    away.get(consent(away, SEEN_LONG_AGO))
    refused = away.post("/tokens", json={"name": "ci", "scopes": ["read"], "days": 1})
    assert (refused.status_code, refused.json()["code"]) == (403, "ReauthenticationNeeded")
    assert away.post("/session/confirm", json={"password": "x"}).status_code == 409


def test_a_confirmation_asks_the_provider_to_authenticate_anew(away):
    away.get(consent(away))
    assert away.get(consent(away, confirm=True)).status_code == 303
    stale = away.get(consent(away, SEEN_LONG_AGO, confirm=True))
    assert (stale.status_code, "did not ask for your credentials" in stale.json()["detail"]) == (401, True)


def test_without_a_provider_oidc_login_is_answered_404(browser, sessions):
    assert browser.get("/session/ways").json() == {"oidc": None}
    assert browser.get("/session/oidc").status_code == 404
    with sessions() as session:
        assert session.scalars(select(Account).where(Account.oidc_subject.is_not(None))).all() == []
