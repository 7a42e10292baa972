"""Login throttling slows guessing down and locks out nobody else."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import httpx
import pytest
from sqlalchemy import select, text

from backend.access.secrets import digest
from backend.accounts import login_throttle, members
from backend.accounts.passwords import hash_of
from backend.app import create_app
from backend.core.errors import TooManyAttemptsError
from backend.models import Account, LoginAttempts, Role
from tests.backend.conftest import serving
from tests.backend.people import person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PASSWORD = "correct horse battery staple"
ATTACKER, HOME, OFFICE = "203.0.113.66", "198.51.100.7", "192.0.2.10"


@pytest.fixture
def long_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no delay end during a test, however slow the machine."""
    monkeypatch.setattr(login_throttle, "FIRST_DELAY", login_throttle.MAX_DELAY)


@pytest.fixture
def at(app_settings, sessions, store, request) -> Iterator[Callable[[str], httpx.Client]]:
    """Return a browser at an address; delays last longer than the test."""
    request.getfixturevalue("long_delay")
    opened = []
    app = create_app(
        app_settings.model_copy(update={"trusted_proxies": "127.0.0.1/32"}), sessions=sessions, store=store
    )
    with serving(app) as url:

        def at(address: str) -> httpx.Client:
            headers = {"X-Forwarded-For": address}
            opened.append(httpx.Client(base_url=f"{url}/api/v1", headers=headers))
            return opened[-1]

        yield at
        for client in opened:
            client.close()


@pytest.fixture
def ada(sessions) -> Account:
    account = person(sessions, "ada", Role.RESPONDER)
    with sessions.begin() as session:
        session.get_one(Account, account.id).password_hash = hash_of(PASSWORD)
    return account


def sign_in(browser: httpx.Client, name: str = "ada", password: str = PASSWORD) -> httpx.Response:
    return browser.post("/session/password", json={"name": name, "password": password})


def guess_until_refused(browser: httpx.Client, name: str = "ada") -> int:
    """Guess passwords of `name` until throttled; return the number of guesses that were checked."""
    for number in range(200):
        answer = sign_in(browser, name, "x" * 12)
        if answer.status_code == 429:
            assert answer.json()["code"] == "TooManyAttempts"
            assert 0 < int(answer.headers["retry-after"]) <= 900
            return number
        assert answer.status_code == 401
    raise AssertionError("never throttled")


@pytest.mark.usefixtures("ada")
def test_guessing_a_name_does_not_lock_its_owner_out_elsewhere(at):
    assert guess_until_refused(at(ATTACKER)) == login_throttle.FREE_PER_CREDENTIAL
    assert sign_in(at(ATTACKER)).status_code == 429
    assert sign_in(at(HOME)).status_code == 200


@pytest.mark.usefixtures("ada")
def test_a_known_device_signs_in_at_the_address_of_an_attacker(at):
    laptop = at(OFFICE)
    assert sign_in(laptop).status_code == 200
    cookie = next(one for one in laptop.cookies.jar if one.name == "casebook_device")
    assert (cookie.path, cookie.has_nonstandard_attr("HttpOnly")) == ("/api/v1/session", True)
    laptop.delete("/session")
    guess_until_refused(at(OFFICE))
    assert sign_in(at(OFFICE)).status_code == 429
    assert sign_in(laptop).status_code == 200


@pytest.mark.usefixtures("ada", "long_delay")
def test_a_known_device_is_throttled_by_itself(at):
    laptop = at(OFFICE)
    sign_in(laptop)
    assert guess_until_refused(laptop) == login_throttle.FREE_PER_DEVICE
    assert sign_in(laptop).status_code == 429
    assert sign_in(at(OFFICE)).status_code == 200


@pytest.mark.usefixtures("long_delay")
def test_a_device_is_known_to_the_accounts_that_signed_in_on_it_only(at, ada, sessions):
    ben = person(sessions, "ben", Role.VIEWER)
    with sessions.begin() as session:
        session.get_one(Account, ben.id).password_hash = hash_of(PASSWORD)
    shared = at(OFFICE)
    assert sign_in(shared, "ada").status_code == 200
    guess_until_refused(at(OFFICE), "ben")
    assert sign_in(shared, "ben").status_code == 429
    assert sign_in(shared, "ada").status_code == 200
    with sessions() as session:
        devices = text("select hash from token where account_id = :id and kind = 'device'")
        assert digest(shared.cookies["casebook_device"]) not in session.scalars(devices, {"id": ada.id}).all()


def test_one_address_cannot_try_a_password_on_every_name(at, monkeypatch):
    # Each attempt costs a password hash.
    monkeypatch.setattr(login_throttle, "FREE_PER_ADDRESS", 7)
    sprayer = at(ATTACKER)
    tried = 0
    while sign_in(sprayer, f"name{tried}", "Winter2026!!").status_code == 401:
        tried += 1
    assert tried == 7


def test_wrong_invitations_do_not_close_the_door_to_the_right_one(at, sessions):
    owner = person(sessions, "root", Role.ADMIN)
    with sessions.begin() as session:
        _, secret = members.invite(
            session, owner.id, note="", role=Role.VIEWER, team_id=None, lifetime=timedelta(days=1)
        )
    guesser = at(OFFICE)
    for number in range(60):
        asked = {"secret": f"guess {number}", "name": "eve", "password": PASSWORD}
        assert guesser.post("/join", json=asked).status_code == 410
    asked = {"secret": secret, "name": "eve", "password": PASSWORD}
    assert at(OFFICE).post("/join", json=asked).status_code == 201


@pytest.mark.usefixtures("long_delay")
@pytest.mark.parametrize("name", ["ada", "a\0b", "\ud800"])
def test_login_throttling_applies_to_unknown_names_too(session, name: str):
    counted = login_throttle.of_client(name, "198.51.100.7")
    for _ in range(login_throttle.FREE_PER_CREDENTIAL):
        login_throttle.count(session, counted)
    with pytest.raises(TooManyAttemptsError):
        login_throttle.count(session, counted)
    login_throttle.forgive(session, counted)
    login_throttle.count(session, counted)


@pytest.mark.usefixtures("long_delay")
def test_a_refused_attempt_does_not_prolong_the_delay(session):
    counted = login_throttle.of_client("ada", "198.51.100.7")
    for _ in range(login_throttle.FREE_PER_CREDENTIAL + 3):
        with_delay_over(session)
        login_throttle.count(session, counted)
    session.commit()
    before = session.query(LoginAttempts.key, LoginAttempts.failures, LoginAttempts.last_at).all()
    for _ in range(3):
        with pytest.raises(TooManyAttemptsError):
            login_throttle.count(session, counted)
        session.rollback()
    assert session.query(LoginAttempts.key, LoginAttempts.failures, LoginAttempts.last_at).all() == before


def test_the_delay_doubles_up_to_a_quarter_of_an_hour(session):
    counted = login_throttle.of_client("ada", "198.51.100.7")
    by_credential = counted[0]
    delay = login_throttle.free_at(by_credential) - LoginAttempts.last_at
    delays = []
    for _ in range(login_throttle.FREE_PER_CREDENTIAL + 13):
        with_delay_over(session)
        login_throttle.count(session, counted)
        delays.append(session.scalar(select(delay).where(LoginAttempts.key == by_credential.key)))
    assert [one.total_seconds() for one in delays[:8]] == [0, 0, 0, 0, 1, 2, 4, 8]
    assert delays[-1] == login_throttle.MAX_DELAY


def with_delay_over(session) -> None:
    session.execute(text("update sign_in_attempts set last_at = last_at - interval '16 minutes'"))
    session.commit()


def test_addresses_of_one_network_share_a_count():
    [first, *_] = login_throttle.of_client("ada", "2001:db8::1")
    [second, *_] = login_throttle.of_client("ADA", "2001:db8::2")
    assert first.key == second.key


def test_old_counts_are_removed(session):
    login_throttle.count(session, login_throttle.of_client("ada", "198.51.100.7"))
    assert login_throttle.remove_old(session) == 0
    session.execute(text("update sign_in_attempts set last_at = now() - interval '61 minutes'"))
    assert login_throttle.remove_old(session) == 2


@pytest.mark.parametrize("is_known", [False, True])
def test_a_password_without_its_code_forgives_no_wrong_code(at, ada, sessions, is_known):
    thief = at(ATTACKER)
    body = {"name": "ada", "password": PASSWORD}
    if is_known:
        assert thief.post("/session/password", json=body).status_code == 200
    with sessions.begin() as session:
        account = session.get_one(Account, ada.id)
        account.totp_secret, account.totp_is_on = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", True
    guesses = []
    for _ in range(12):
        guesses.append(thief.post("/session/password", json={**body, "code": "12345"}).status_code)
        thief.post("/session/password", json=body)
    free = login_throttle.FREE_PER_DEVICE if is_known else login_throttle.FREE_PER_CREDENTIAL
    assert guesses == [401] * free + [429] * (12 - free)
