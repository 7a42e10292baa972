"""Changes of credentials need a recent sign-in, and end the other sessions."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import httpx
import pyotp
import pytest
from sqlalchemy import delete, select, text

from backend.access.reauthentication import RECENT
from backend.access.secrets import digest
from backend.accounts import login_throttle, passwords, tokens
from backend.accounts.passwords import hash_of
from backend.core.audit_entry import AuditEntry
from backend.core.errors import NotSignedInError
from backend.models import Account, Role, Token, TokenKind
from tests.backend.open_transactions import at_the_same_time
from tests.backend.people import person, signed_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm import Session, sessionmaker

PASSWORD, OTHER = "correct horse battery staple", "another battery of horses"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def current_code(secret: str) -> str:
    return pyotp.TOTP(secret).at(passwords.current_step() * passwords.STEP_SECONDS)


@pytest.fixture
def account(sessions: sessionmaker[Session]) -> Account:
    made = person(sessions, "ada", Role.ADMIN)
    with sessions.begin() as session:
        session.get_one(Account, made.id).password_hash = hash_of(PASSWORD)
    return made


@pytest.fixture
def ada(address: str, sessions, account: Account) -> Iterator[httpx.Client]:
    with signed_in(address, sessions, account) as client:
        yield client


@pytest.fixture
def elsewhere(address: str, sessions, account: Account) -> Iterator[httpx.Client]:
    """Another browser of the same account."""
    with signed_in(address, sessions, account) as client:
        yield client


@pytest.fixture
def with_totp(sessions, account: Account) -> Account:
    with sessions.begin() as session:
        stored = session.get_one(Account, account.id)
        stored.totp_secret, stored.totp_is_on = SECRET, True
        session.flush()
        session.expunge(stored)
    return stored


def grow_old(sessions) -> None:
    """Let all sign-ins be just too long ago."""
    with sessions.begin() as session:
        session.execute(text("update token set authenticated_at = now() - :age"), {"age": RECENT})


CHANGES: dict[str, Callable[[httpx.Client, str], httpx.Response]] = {
    "change the password": lambda web, _: web.put(
        "/me/password", json={"current": PASSWORD, "password": OTHER}
    ),
    "begin an authenticator": lambda web, _: web.post("/me/code"),
    "confirm an authenticator": lambda web, _: web.put("/me/code", json={"code": "000000"}),
    "turn an authenticator off": lambda web, _: web.post("/me/code/off", json={"code": "000000"}),
    "create a token": lambda web, _: web.post("/tokens", json={"name": "ci", "scopes": ["read"], "days": 1}),
    "rotate a token": lambda web, token: web.post(f"/tokens/{token}/rotate", json={}),
    "create a service token": lambda web, _: web.post(
        "/service-tokens", json={"name": "svc", "scopes": ["read"], "role": "viewer", "days": 1}
    ),
    "invite somebody": lambda web, _: web.post("/invitations", json={"role": "admin"}),
    "change a role": lambda web, token: web.patch(f"/members/{token}", json={"role": "admin"}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_session_that_nobody_confirmed_lately_changes_no_credential(ada, sessions, change):
    token = ada.post("/tokens", json={"name": "mine", "scopes": ["read"], "days": 1}).json()["token"]["id"]
    grow_old(sessions)
    refused = CHANGES[change](ada, token)
    assert (refused.status_code, refused.json()["code"]) == (403, "ReauthenticationNeeded")
    assert ada.post("/session/confirm", json={"password": PASSWORD}).status_code == 204
    assert CHANGES[change](ada, token).status_code != 403


def test_a_wrong_confirmation_confirms_nothing_and_is_audited(ada, sessions):
    grow_old(sessions)
    wrong = ada.post("/session/confirm", json={"password": OTHER})
    assert (wrong.status_code, wrong.json()["detail"]) == (400, "the password is wrong")
    assert ada.post("/me/code").status_code == 403
    with sessions() as session:
        tried = select(AuditEntry.actor).where(
            AuditEntry.subject == "confirmation", AuditEntry.is_refused.is_(True)
        )
        assert session.scalars(tried).all() == ["ada"]


@pytest.mark.usefixtures("standing_step", "with_totp")
def test_a_confirmation_asks_for_the_code_of_the_authenticator(ada, sessions):
    grow_old(sessions)
    without = ada.post("/session/confirm", json={"password": PASSWORD})
    assert (without.status_code, "authenticator" in without.json()["detail"]) == (400, True)
    wrong = ada.post("/session/confirm", json={"password": PASSWORD, "code": "12345"})
    assert wrong.status_code == 400
    right = {"password": PASSWORD, "code": current_code(SECRET)}
    assert ada.post("/session/confirm", json=right).status_code == 204
    assert ada.post("/tokens", json={"name": "ci", "scopes": ["read"], "days": 1}).status_code == 201


def test_an_account_without_a_password_signs_in_again(ada, sessions, account):
    with sessions.begin() as session:
        session.get_one(Account, account.id).password_hash = None
    grow_old(sessions)
    set_one = ada.put("/me/password", json={"password": OTHER})
    assert (set_one.status_code, set_one.json()["code"]) == (403, "ReauthenticationNeeded")
    answer = ada.post("/session/confirm", json={"password": OTHER})
    assert (answer.status_code, answer.json()["detail"]) == (
        409,
        "this account has no password: sign in again",
    )


GUESSES: dict[str, Callable[[httpx.Client], httpx.Response]] = {
    "the current password": lambda web: web.put("/me/password", json={"current": "x", "password": OTHER}),
    "the password": lambda web: web.post("/session/confirm", json={"password": "x"}),
    "a code, to turn it off": lambda web: web.post("/me/code/off", json={"code": "12345"}),
}


@pytest.mark.parametrize("guess", GUESSES)
def test_a_stolen_session_guesses_a_few_times_only(ada, elsewhere, with_totp, guess, monkeypatch):
    assert with_totp.totp_is_on
    monkeypatch.setattr(login_throttle, "FIRST_DELAY", login_throttle.MAX_DELAY)
    answers = [GUESSES[guess](ada).status_code for _ in range(12)]
    assert answers == [400] * login_throttle.FREE_PER_SESSION + [429] * 7
    assert GUESSES[guess](elsewhere).status_code == 400


def test_a_password_change_ends_the_other_sessions_and_leaves_tokens_unless_asked(
    ada, elsewhere, sessions, account
):
    with sessions.begin() as session:
        tokens.make(
            session, account.id, kind=TokenKind.API, name="ci", scopes=tokens.EVERYTHING, lifetime=None
        )
    changed = ada.put("/me/password", json={"current": PASSWORD, "password": OTHER})
    assert changed.status_code == 204
    assert (ada.get("/me").status_code, elsewhere.get("/me").status_code) == (200, 401)
    assert [one["name"] for one in ada.get("/tokens").json()["items"]] == ["ci"]
    again = {"current": OTHER, "password": PASSWORD, "revoke_tokens": True}
    assert ada.put("/me/password", json=again).status_code == 204
    assert (ada.get("/me").status_code, ada.get("/tokens").json()["items"]) == (200, [])


def test_an_unused_sign_in_link_ends_with_a_password_change(ada, browser, sessions, account):
    with sessions.begin() as session:
        ends = datetime.now(UTC) + RECENT
        session.add(
            Token(account_id=account.id, kind=TokenKind.SIGN_IN, hash=digest("a link"), expires_at=ends)
        )
    ada.put("/me/password", json={"current": PASSWORD, "password": OTHER})
    assert browser.post("/session", json={"token": "a link"}).status_code == 401


@pytest.mark.usefixtures("standing_step")
def test_an_authenticator_that_is_set_up_or_turned_off_ends_the_other_sessions(
    ada, elsewhere, address, sessions, account
):
    totp = pyotp.TOTP(ada.post("/me/code").json()["secret"])
    now = passwords.current_step() * passwords.STEP_SECONDS
    assert ada.put("/me/code", json={"code": totp.at(now - passwords.STEP_SECONDS)}).status_code == 204
    assert (ada.get("/me").status_code, elsewhere.get("/me").status_code) == (200, 401)
    with signed_in(address, sessions, account) as third:
        assert ada.post("/me/code/off", json={"code": totp.at(now)}).status_code == 204
        assert third.get("/me").status_code == 401


@pytest.mark.usefixtures("standing_step")
@pytest.mark.parametrize("change", ["password", "authenticator"])
def test_other_devices_are_strangers_after_a_change_of_credentials(browser, ada, account, sessions, change):
    assert browser.post("/session/password", json={"name": "ada", "password": PASSWORD}).status_code == 200
    if change == "password":
        changed = ada.put("/me/password", json={"current": PASSWORD, "password": OTHER})
    else:
        secret = ada.post("/me/code").json()["secret"]
        changed = ada.put("/me/code", json={"code": current_code(secret)})
    assert changed.status_code == 204
    with sessions() as session:
        known = text("select count(*) from token where account_id = :id and kind = 'device'")
        assert session.scalar(known, {"id": account.id}) == 0


def test_a_bearer_token_administers_without_a_person(web):
    assert web.post("/invitations", json={"role": "viewer"}).status_code == 201


RENEWALS: dict[str, Callable[[httpx.Client], httpx.Response]] = {
    "a confirmation": lambda web: web.post("/session/confirm", json={"password": PASSWORD}),
    "another password": lambda web: web.put("/me/password", json={"current": PASSWORD, "password": OTHER}),
    "an authenticator": lambda web: web.put(
        "/me/code", json={"code": current_code(web.post("/me/code").json()["secret"])}
    ),
}


@pytest.mark.usefixtures("standing_step")
@pytest.mark.parametrize("renewal", RENEWALS)
def test_a_stolen_copy_of_a_session_ends_when_its_person_proves_who_they_are(
    browser, address, sessions, account, renewal
):
    """Otherwise the thief waits for the person to confirm, and changes the credentials in their place."""
    assert browser.post("/session/password", json={"name": "ada", "password": PASSWORD}).status_code == 200
    copied = browser.cookies["casebook_session"]
    with httpx.Client(base_url=f"{address}/api/v1", cookies={"casebook_session": copied}) as thief:
        assert thief.get("/me").json()["name"] == account.name
        [before] = browser.get("/sessions").json()["items"]
        assert RENEWALS[renewal](browser).status_code == 204
        assert (browser.get("/me").status_code, thief.get("/me").status_code) == (200, 401)
        assert [one["id"] for one in browser.get("/sessions").json()["items"]] == [before["id"]]
    cookie = next(one for one in browser.cookies.jar if one.name == "casebook_session")
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.expires == pytest.approx(datetime.fromisoformat(before["expires_at"]).timestamp(), abs=600)
    with sessions() as session:
        assert session.scalar(select(Token.id).where(Token.hash == digest(copied))) is None


@pytest.mark.usefixtures("account")
def test_a_sign_in_ends_the_session_that_the_browser_had(browser, address):
    body = {"name": "ada", "password": PASSWORD}
    browser.post("/session/password", json=body)
    earlier = browser.cookies["casebook_session"]
    assert browser.post("/session/password", json=body).status_code == 200
    with httpx.Client(base_url=f"{address}/api/v1", cookies={"casebook_session": earlier}) as copy:
        assert copy.get("/me").status_code == 401
    assert browser.get("/me").status_code == 200


@pytest.mark.parametrize("guess", GUESSES)
def test_a_wrong_proof_is_audited_as_refused(ada, sessions, with_totp, guess):
    assert with_totp.totp_is_on
    assert GUESSES[guess](ada).status_code == 400
    with sessions() as session:
        tried = select(AuditEntry.actor).where(
            AuditEntry.subject == "confirmation", AuditEntry.is_refused.is_(True)
        )
        assert session.scalars(tried).all() == ["ada"]


@pytest.mark.usefixtures("standing_step")
def test_a_code_is_redeemed_by_one_of_two_requests_at_the_same_time(own_sessions):
    name = f"ada {uuid.uuid4()}"
    with own_sessions.begin() as session:
        made = Account(name=name, role=Role.VIEWER, password_hash=hash_of(PASSWORD))
        made.totp_secret, made.totp_is_on = SECRET, True
        session.add(made)
    code = current_code(SECRET)

    def signs_in(session: Session) -> bool:
        try:
            passwords.authenticate(session, name=name, password=PASSWORD, code=code)
        except NotSignedInError:
            return False
        return True

    try:
        assert at_the_same_time(own_sessions, signs_in, signs_in) == (True, False)
    finally:
        with own_sessions.begin() as session:
            session.execute(delete(Account).where(Account.name == name))
