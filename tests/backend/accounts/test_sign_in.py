"""Sign-in: one-time links, browser sessions, bearer tokens, refusals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from backend.access import principals
from backend.accounts import service
from backend.core.errors import NotSignedInError
from backend.models.account import Token
from tests.backend.people import sign_in

if TYPE_CHECKING:
    import httpx

MONTH = timedelta(days=30)


def test_a_sign_in_link_opens_one_session_and_no_second(session):
    link = service.create_sign_in_token(session)
    signed_in, secret = sign_in(session, link, lifetime=MONTH)
    assert signed_in.name == "owner"
    assert principals.by_cookie(session, secret).id == signed_in.id
    with pytest.raises(NotSignedInError, match="already used"):
        sign_in(session, link, lifetime=MONTH)


def test_every_start_prints_a_link_that_works(session):
    links = [service.create_sign_in_token(session) for _ in range(2)]
    assert {sign_in(session, link, lifetime=MONTH)[0].name for link in links} == {"owner"}


def test_a_sign_in_link_expires_after_ten_minutes(session):
    link = service.create_sign_in_token(session)
    session.execute(update(Token).values(expires_at=datetime.now(UTC) - timedelta(seconds=1)))
    with pytest.raises(NotSignedInError):
        sign_in(session, link, lifetime=MONTH)


def test_secrets_are_stored_as_hashes_only(session):
    secrets = [service.create_sign_in_token(session), service.create_api_token(session, name="ci")]
    kept = [repr(vars(token)) for token in session.scalars(select(Token))]
    assert not any(secret in row for secret in secrets for row in kept)


def test_a_sign_in_link_is_no_bearer_token_and_a_bearer_token_no_link(session):
    with pytest.raises(NotSignedInError):
        principals.by_token(session, service.create_sign_in_token(session))
    with pytest.raises(NotSignedInError):
        sign_in(session, service.create_api_token(session, name="ci"), lifetime=MONTH)


def test_without_a_token_everything_but_health_answers_401(browser):
    assert browser.get("/health").status_code == 200
    answer = browser.get("/cases")
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "NotSignedIn"
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_wrong_token_is_refused(browser):
    answer = browser.get("/cases", headers={"Authorization": "Bearer cbk_wrong"})
    assert (answer.status_code, answer.json()["code"]) == (401, "NotSignedIn")


def test_a_browser_signs_in_and_out(browser, sessions):
    with sessions.begin() as session:
        link = service.create_sign_in_token(session)
    answer = browser.post("/session", json={"token": link})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert browser.get("/me").json()["signed_in_by"] == "session"
    kept = browser.cookies["casebook_session"]
    assert browser.delete("/session").status_code == 204
    assert browser.get("/me", headers={"Cookie": f"casebook_session={kept}"}).status_code == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 201),
        ({}, 201),
    ],
)
def test_another_site_cannot_use_the_cookie_to_change_anything(browser, sessions, headers, status):
    with sessions.begin() as session:
        browser.post("/session", json={"token": service.create_sign_in_token(session)})
    assert browser.post("/cases", json={}, headers=headers).status_code == status


def test_a_bearer_token_needs_no_origin(web: httpx.Client):
    assert web.post("/cases", json={}, headers={"Origin": "https://ci.example"}).status_code == 201


SIGN_INS = {
    "a link": ("/session", {"token": "x"}),
    "a password": ("/session/password", {"name": "mallory", "password": "correct horse battery"}),
    "an invitation": ("/join", {"secret": "x", "name": "mallory", "password": "correct horse battery"}),
}


@pytest.mark.parametrize("way", SIGN_INS)
def test_another_site_cannot_sign_a_browser_in_to_an_account_of_its_own(browser, way):
    """What the person sends afterwards would be evidence in a case of somebody else."""
    path, body = SIGN_INS[way]
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
        refused = browser.post(path, json=body, headers=headers)
        assert (refused.status_code, "cross-site" in refused.json()["detail"]) == (403, True)
    assert browser.post(path, json=body).status_code in {401, 410}
