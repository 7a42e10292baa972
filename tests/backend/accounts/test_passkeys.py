"""Passkeys: registration, sign-in, confirmation, removal, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest
from sqlalchemy import select, text

from backend.access.reauthentication import RECENT
from backend.core.audit_entry import AuditEntry
from backend.models import Account, Passkey, PasskeyChallenge, Role
from tests.backend.accounts.soft_authenticator import SoftAuthenticator, to_bytes
from tests.backend.people import person, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session, sessionmaker


@pytest.fixture
def local(address: str) -> str:
    """The address of the service by a host name: an IP address has no passkeys."""
    return address.replace("127.0.0.1", "localhost")


@pytest.fixture
def account(sessions: sessionmaker[Session]) -> Account:
    return person(sessions, "ada", Role.ADMIN)


@pytest.fixture
def ada(local: str, sessions, account: Account) -> Iterator[httpx.Client]:
    with signed_in(local, sessions, account) as client:
        yield client


@pytest.fixture
def stranger(local: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{local}/api/v1") as client:
        yield client


@pytest.fixture
def laptop(local: str) -> SoftAuthenticator:
    return SoftAuthenticator(local)


def add(web: httpx.Client, authenticator: SoftAuthenticator, name: str = "laptop") -> httpx.Response:
    options = web.post("/me/passkeys/options").raise_for_status().json()["options"]
    return web.post("/me/passkeys", json={"name": name, "credential": authenticator.create(options)})


def sign_in(web: httpx.Client, authenticator: SoftAuthenticator) -> httpx.Response:
    options = web.post("/session/passkey/options").raise_for_status().json()["options"]
    return web.post("/session/passkey", json={"credential": authenticator.get(options)})


def grow_old(sessions) -> None:
    with sessions.begin() as session:
        session.execute(text("update token set authenticated_at = now() - :age"), {"age": RECENT})


def test_a_passkey_signs_in_without_a_password_and_the_audit_log_says_so(ada, stranger, laptop, sessions):
    assert add(ada, laptop).status_code == 201
    assert ada.get("/me/profile").json()["has_passkey"] is True
    answer = sign_in(stranger, laptop)
    assert (answer.status_code, answer.json()["name"]) == (200, "ada")
    assert stranger.get("/me").json()["signed_in_by"] == "session"
    [listed] = ada.get("/me/passkeys").json()["items"]
    assert listed["name"] == "laptop"
    assert listed["last_used_at"] is not None
    with sessions() as session:
        assert (
            session.scalar(
                select(AuditEntry.number).where(
                    AuditEntry.subject.contains("passkey"), AuditEntry.action == "sign-in"
                )
            )
            is not None
        )


def test_a_passkey_confirms_the_sign_in_for_changes_of_credentials(ada, laptop, sessions):
    add(ada, laptop)
    grow_old(sessions)
    assert ada.post("/me/passkeys/options").json()["code"] == "ReauthenticationNeeded"
    options = ada.post("/session/passkey/options").json()["options"]
    assert [to_bytes(one["id"]) for one in options["allowCredentials"]] == [laptop.credential_id]
    assert ada.post("/session/confirm/passkey", json={"credential": laptop.get(options)}).status_code == 204
    assert ada.post("/me/passkeys/options").status_code == 200


def test_a_passkey_of_another_account_confirms_nothing(ada, local, sessions):
    with signed_in(local, sessions, person(sessions, "bob", Role.ADMIN)) as bob:
        theirs = SoftAuthenticator(local)
        add(bob, theirs)
    grow_old(sessions)
    options = ada.post("/session/passkey/options").json()["options"]
    answer = ada.post("/session/confirm/passkey", json={"credential": theirs.get(options)})
    assert answer.status_code == 400
    assert ada.post("/me/passkeys/options").json()["code"] == "ReauthenticationNeeded"


def test_a_challenge_is_valid_once_and_for_five_minutes(ada, stranger, laptop, sessions):
    add(ada, laptop)
    options = stranger.post("/session/passkey/options").json()["options"]
    assert options["allowCredentials"] == []
    signature = laptop.get(options)
    assert stranger.post("/session/passkey", json={"credential": signature}).status_code == 200
    assert stranger.post("/session/passkey", json={"credential": signature}).status_code == 401
    options = stranger.post("/session/passkey/options").json()["options"]
    with sessions.begin() as session:
        session.execute(text("update passkey_challenge set created_at = now() - interval '6 minutes'"))
    assert stranger.post("/session/passkey", json={"credential": laptop.get(options)}).status_code == 401
    stranger.post("/session/passkey/options")
    with sessions() as session:
        assert len(session.scalars(select(PasskeyChallenge)).all()) == 1


def test_a_removed_passkey_and_a_disabled_account_are_refused(ada, stranger, laptop, sessions, account):
    key = add(ada, laptop).json()["id"]
    with sessions.begin() as session:
        session.get_one(Account, account.id).disabled_at = session.scalar(text("select now()"))
    assert sign_in(stranger, laptop).status_code == 401
    with sessions.begin() as session:
        session.get_one(Account, account.id).disabled_at = None
    assert ada.delete(f"/me/passkeys/{key}").status_code == 204
    assert sign_in(stranger, laptop).status_code == 401
    assert ada.delete(f"/me/passkeys/{key}").status_code == 404


@pytest.mark.parametrize(
    "wrong", ["another page", "another key", "no user verification", "a copied authenticator"]
)
def test_a_signature_that_proves_too_little_is_refused(ada, stranger, laptop, local, wrong):
    add(ada, laptop)
    assert sign_in(stranger, laptop).status_code == 200
    if wrong == "another page":
        laptop.origin = "https://casebook.example.net"
    elif wrong == "another key":
        laptop.key = SoftAuthenticator(local).key
    elif wrong == "no user verification":
        laptop.verifies = False
    else:
        laptop.count = -1
    assert sign_in(stranger, laptop).status_code == 401


@pytest.mark.parametrize(
    "credential",
    [
        {},
        {"id": 7},
        {"response": []},
        {"response": {"clientDataJSON": "!"}},
        {"response": {"clientDataJSON": "e30"}},
    ],
)
def test_a_malformed_signature_is_refused_as_a_wrong_one(stranger, credential):
    assert stranger.post("/session/passkey", json={"credential": credential}).status_code == 401


def test_the_same_passkey_is_added_once_and_only_for_its_own_challenge(ada, laptop, local, sessions):
    assert add(ada, laptop).status_code == 201
    assert add(ada, laptop).status_code == 409
    with signed_in(local, sessions, person(sessions, "bob", Role.VIEWER)) as bob:
        options = bob.post("/me/passkeys/options").json()["options"]
    answer = ada.post(
        "/me/passkeys", json={"name": "x", "credential": SoftAuthenticator(local).create(options)}
    )
    assert answer.status_code == 400
    with sessions() as session:
        assert len(session.scalars(select(Passkey)).all()) == 1


def test_a_page_opened_by_an_ip_address_says_that_passkeys_need_a_host_name(address, sessions, account):
    with signed_in(address, sessions, account) as web:
        answer = web.post("/me/passkeys/options")
    assert answer.status_code == 409
    assert "localhost" in answer.json()["detail"]
