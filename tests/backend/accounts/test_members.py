"""Members: invitation, sign-in by password and code, login throttling, disabling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyotp
import pytest
from sqlalchemy import select, text

from backend.accounts import passwords
from backend.accounts.passwords import OF_NO_ACCOUNT, STEP_SECONDS
from backend.models import Account, Case, Role
from tests.backend.people import person, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx
    from sqlalchemy.orm import Session, sessionmaker

PASSWORD = "correct horse battery staple"


@pytest.fixture
def admin(address: str, sessions: sessionmaker[Session]) -> Iterator[httpx.Client]:
    with signed_in(address, sessions, person(sessions, "root", Role.ADMIN)) as client:
        yield client


def invited(admin: httpx.Client, browser: httpx.Client, name: str = "ada", role: str = "responder"):
    url = admin.post("/invitations", json={"role": role}).json()["url"]
    asked = {"secret": url.partition("#")[2], "name": name, "password": PASSWORD}
    return browser.post("/join", json=asked)


def test_an_invitation_creates_one_account_with_role_and_team(admin, browser):
    team = admin.post("/teams", json={"name": "storage"}).json()["id"]
    made = admin.post("/invitations", json={"role": "responder", "team_id": team, "note": "Ada"}).json()
    asked = {"secret": made["url"].partition("#")[2], "name": "ada", "password": PASSWORD}
    assert made["url"].partition("#")[0].endswith("/join")
    joined = browser.post("/join", json=asked)
    assert (joined.status_code, joined.json()["role"]) == (201, "responder")
    assert browser.get("/me").json()["name"] == "ada"
    assert admin.get("/teams").json()["items"][0]["member_ids"] == [joined.json()["id"]]
    again = browser.post("/join", json={**asked, "name": "eve"})
    assert (again.status_code, again.json()["code"]) == (410, "Gone")
    assert admin.get("/invitations").json()["items"] == []


def test_a_withdrawn_invitation_creates_no_account(admin, browser):
    made = admin.post("/invitations", json={"role": "admin"}).json()
    assert admin.delete(f"/invitations/{made['invitation']['id']}").status_code == 204
    asked = {"secret": made["url"].partition("#")[2], "name": "eve", "password": PASSWORD}
    assert browser.post("/join", json=asked).status_code == 410


def test_a_name_conflict_leaves_the_invitation_unused(admin, browser):
    url = admin.post("/invitations", json={"role": "viewer"}).json()["url"]
    asked = {"secret": url.partition("#")[2], "name": "root", "password": PASSWORD}
    assert browser.post("/join", json=asked).status_code == 409
    assert browser.post("/join", json={**asked, "name": "ada"}).status_code == 201


@pytest.mark.parametrize("name", ["", " ada", "a\u202eb", "a\nb", "a" * 81])
def test_a_confusable_account_name_is_refused(admin, browser, name):
    assert invited(admin, browser, name).status_code == 422


def test_a_short_password_is_refused(admin, browser):
    url = admin.post("/invitations", json={"role": "viewer"}).json()["url"]
    asked = {"secret": url.partition("#")[2], "name": "ada", "password": "short"}
    assert browser.post("/join", json=asked).status_code == 422


def test_a_wrong_password_is_answered_like_a_wrong_name(admin, browser, sessions):
    invited(admin, browser)
    browser.cookies.clear()
    right = browser.post("/session/password", json={"name": "ada", "password": PASSWORD})
    assert (right.status_code, right.json()["name"]) == (200, "ada")
    wrong = browser.post("/session/password", json={"name": "ada", "password": "x"})
    nobody = browser.post("/session/password", json={"name": "nobody", "password": "x"})
    assert (wrong.status_code, wrong.text) == (401, nobody.text)
    with sessions() as session:
        kept = session.scalars(select(Account.password_hash).where(Account.name == "ada")).one()
        assert kept.startswith("$argon2id$")
        assert PASSWORD not in kept


def test_passwords_are_hashed_with_the_parameters_of_rfc_9106(product_hasher):
    # Its second recommended option: 3 passes over 64 MiB, 4 lanes.
    assert (product_hasher.time_cost, product_hasher.memory_cost, product_hasher.parallelism) == (3, 65536, 4)


def test_a_password_of_no_account_takes_as_long_to_compare(product_hasher):
    # The product's, imported before tests hash quickly.
    assert product_hasher.verify(OF_NO_ACCOUNT, "a password of no account")
    assert not product_hasher.check_needs_rehash(OF_NO_ACCOUNT)


def test_password_login_is_refused_for_an_account_without_password(browser, sessions):
    person(sessions, "ben", Role.ADMIN)
    for password in ("", "x", "a password of no account"):
        answer = browser.post("/session/password", json={"name": "ben", "password": password})
        assert answer.status_code in {401, 422}


@pytest.mark.usefixtures("standing_step")
def test_a_code_is_required_once_set_up_and_valid_only_once(admin, browser):
    invited(admin, browser)
    secret = browser.post("/me/code").json()["secret"]
    totp = pyotp.TOTP(secret)
    now = passwords.current_step() * STEP_SECONDS
    assert browser.put("/me/code", json={"code": "12345"}).status_code == 400
    assert browser.put("/me/code", json={"code": totp.at(now - 2 * STEP_SECONDS)}).status_code == 400
    assert browser.put("/me/code", json={"code": totp.at(now - STEP_SECONDS)}).status_code == 204
    assert browser.get("/me/profile").json()["has_code"]
    browser.cookies.clear()
    asked = {"name": "ada", "password": PASSWORD}
    without = browser.post("/session/password", json=asked)
    assert (without.status_code, without.json()["code"]) == (401, "CodeNeeded")
    code = totp.at(now)
    assert browser.post("/session/password", json={**asked, "code": code}).status_code == 200
    again = browser.post("/session/password", json={**asked, "code": code})
    assert (again.status_code, "already used" in again.json()["detail"]) == (401, True)
    assert browser.post("/me/code/off", json={"code": totp.at(now + STEP_SECONDS)}).status_code == 204
    assert browser.post("/session/password", json=asked).status_code == 200


def test_changing_a_password_requires_the_current_one(admin, browser):
    invited(admin, browser)
    other = "another battery of horses"
    assert browser.put("/me/password", json={"current": "x", "password": other}).status_code == 400
    assert browser.put("/me/password", json={"current": PASSWORD, "password": other}).status_code == 204
    assert browser.post("/session/password", json={"name": "ada", "password": other}).status_code == 200
    assert browser.post("/session/password", json={"name": "ada", "password": PASSWORD}).status_code == 401


def test_disabling_an_account_ends_all_its_sessions_at_once(admin, browser):
    member = invited(admin, browser).json()["id"]
    assert admin.patch(f"/members/{member}", json={"is_disabled": True}).json()["disabled_at"]
    assert browser.get("/me").status_code == 401
    assert browser.post("/session/password", json={"name": "ada", "password": PASSWORD}).status_code == 401
    admin.patch(f"/members/{member}", json={"is_disabled": False, "role": "viewer"})
    assert browser.get("/me").json()["role"] == "viewer"


def test_the_owner_of_the_instance_is_always_admin(admin, web):
    owner = web.get("/me").json()["id"]
    assert admin.patch(f"/members/{owner}", json={"role": "viewer"}).status_code == 409
    assert admin.patch(f"/members/{owner}", json={"is_disabled": True}).status_code == 409


def test_a_team_with_cases_stays(admin, sessions):
    team = admin.post("/teams", json={"name": "storage"}).json()["id"]
    assert admin.post("/teams", json={"name": "storage"}).status_code == 409
    with sessions.begin() as session:
        session.add(Case(title="theirs", team_id=team))
    kept = admin.delete(f"/teams/{team}")
    assert (kept.status_code, "storage still has cases (1)" in kept.json()["detail"]) == (409, True)
    with sessions.begin() as session:
        session.execute(text('delete from "case" where team_id is not null'))
    assert admin.delete(f"/teams/{team}").status_code == 204


def test_members_are_added_to_and_removed_from_teams(admin):
    me = admin.get("/me").json()["id"]
    team = admin.post("/teams", json={"name": "storage"}).json()["id"]
    for _ in range(2):
        assert admin.put(f"/teams/{team}/members/{me}").status_code == 204
    assert admin.get("/teams").json()["items"] == [{"id": team, "name": "storage", "member_ids": [me]}]
    assert admin.delete(f"/teams/{team}/members/{me}").status_code == 204
    assert admin.get("/teams").json()["items"][0]["member_ids"] == []
