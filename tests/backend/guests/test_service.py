"""Guest uploads: small, visible to one browser only, deleted after a short time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import httpx
import pytest
from sqlalchemy import select, update

from backend.core.settings import Settings
from backend.guests import service
from backend.guests.expiry import clear_expired
from backend.models import (
    Account,
    AuditEntry,
    Case,
    Evidence,
    Role,
    Token,
    TokenKind,
    Visibility,
)
from tests.backend.people import person, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI
    from sqlalchemy.orm import Session, sessionmaker


TOP = "top - 03:12:44 up 12 days,  load average: 96.40, 81.13, 40.02\n"
COOKIE = "casebook_guest"


@pytest.fixture
def app_settings(app_settings: Settings) -> Settings:
    return app_settings.model_copy(update={"guest_max_bytes": 100_000, "guest_max_cases": 3})


@pytest.fixture
def other(address: str) -> Iterator[httpx.Client]:
    """The browser of somebody else, who has not signed in either."""
    with httpx.Client(base_url=f"{address}/api/v1") as client:
        yield client


def pasted(browser: httpx.Client, text: str = TOP) -> int:
    answer = browser.post("/guest/paste", json={"text": text})
    assert answer.status_code == 202, answer.text
    number: int = answer.json()["number"]
    return number


def made(sessions: sessionmaker[Session], number: int) -> Case:
    with sessions() as session:
        return session.scalars(select(Case).where(Case.number == number)).one()


@pytest.mark.parametrize(
    ("given", "is_open"),
    [
        ({}, True),
        ({"guest_paste": False}, False),
        ({"database_url": "postgresql://casebook@db/casebook"}, False),
        ({"host": "0.0.0.0"}, False),  # noqa: S104 - what must not be open by itself
        ({"public_url": "https://casebook.example.com"}, False),
        ({"public_url": "https://casebook.example.com", "guest_paste": True}, True),
    ],
)
def test_guests_are_allowed_by_default_only_on_an_embedded_local_instance(given, is_open):
    assert service.are_let_in(Settings(**given)) is is_open


def test_limits_and_retention_are_shown_before_the_paste(browser):
    guest = browser.get("/guest")
    assert guest.json() == {"is_open": True, "lifetime_seconds": 7200, "max_bytes": 100_000, "case": None}
    assert guest.headers["Cache-Control"] == "no-store"


def test_a_paste_makes_a_case_that_ends_and_a_cookie_that_no_script_reads(browser, sessions):
    answer = browser.post("/guest/paste", json={"text": TOP})
    case = made(sessions, answer.json()["number"])
    left = case.expires_at - datetime.now(UTC)
    assert timedelta(hours=1) < left <= timedelta(hours=2)
    assert case.visibility is Visibility.RESTRICTED
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    secret = browser.cookies[COOKIE]
    assert len(secret) > 43
    assert secret not in answer.text
    with sessions() as session:
        assert session.scalars(select(Token.id).where(Token.hash == secret)).all() == []
    assert browser.get(f"/cases/{case.number}").json()["expires_at"] == answer.json()["expires_at"]
    assert browser.get("/guest").json()["case"]["number"] == case.number


def test_another_guest_gets_the_same_404_as_for_a_missing_case(browser, other, sessions):
    theirs = made(sessions, pasted(browser))
    assert other.get(f"/cases/{theirs.number}").status_code == 401
    pasted(other)
    with sessions() as session:
        evidence = session.scalars(select(Evidence.id).where(Evidence.case_id == theirs.id)).one()
    absent = other.get("/cases/01900000-0000-7000-8000-00000000dead").json()["detail"]
    guessed = other.get(f"/cases/{theirs.id}")
    assert guessed.status_code == 404
    assert guessed.json()["detail"].replace(str(theirs.id), "ID") == absent.replace(absent.split()[-1], "ID")
    for path in (f"/cases/{theirs.number}/findings", f"/cases/{theirs.number}/evidence"):
        assert other.get(path).status_code == 404
    assert other.get(f"/evidence/{evidence}/lines").status_code == 404
    assert browser.get(f"/cases/{theirs.number}/evidence").json()["items"][0]["id"] == str(evidence)


def test_guests_have_read_access_only(browser, sessions):
    number = pasted(browser)
    for method, path in [
        ("GET", "/cases"),
        ("GET", "/members"),
        ("POST", "/library/search"),
        ("POST", "/cases"),
        ("PATCH", f"/cases/{number}"),
        ("POST", f"/cases/{number}/paste"),
        ("POST", f"/cases/{number}/links"),
        ("POST", "/tokens"),
        ("POST", "/guest/keep"),
    ]:
        assert browser.request(method, path, json={"text": "x"}).status_code == 403, path
    secret = browser.cookies[COOKIE]
    bearer = httpx.get(f"{browser.base_url}me", headers={"Authorization": f"Bearer {secret}"})
    assert bearer.status_code == 401
    assert browser.get("/me").json()["signed_in_by"] == "guest"
    with sessions() as session:
        names = session.scalars(select(Account.name).where(Account.is_guest)).all()
    assert names == ["guest"]


def test_members_do_not_list_the_account_of_guests_nor_can_they_raise_it(browser, web, sessions):
    pasted(browser)
    assert "guest" not in [one["name"] for one in web.get("/members").json()["items"]]
    with sessions() as session:
        account = session.scalars(select(Account.id).where(Account.is_guest)).one()
    assert web.patch(f"/members/{account}", json={"role": "admin"}).status_code == 404


def test_an_existing_account_named_guest_is_kept(browser, sessions):
    person(sessions, "guest", Role.RESPONDER)
    pasted(browser)
    with sessions() as session:
        assert session.scalars(select(Account.name).where(Account.is_guest)).one().startswith("guest ")


def test_a_second_paste_joins_the_first_within_the_quota(browser):
    number = pasted(browser)
    assert pasted(browser, "Linux db7 6.1.0-18-amd64 #1 SMP Debian 6.1.76-1 x86_64\n") == number
    files = {"files": ("perf.txt", TOP.encode() * 300)}
    assert browser.post("/guest/evidence", files=files).json()["number"] == number
    assert len(browser.get(f"/cases/{number}/evidence").json()["items"]) == 3
    too_much = browser.post("/guest/paste", json={"text": "x" * 90_000})
    assert too_much.status_code == 413
    assert "100,000 bytes together" in too_much.json()["detail"]
    assert len(browser.get(f"/cases/{number}/evidence").json()["items"]) == 3


def test_what_is_refused_leaves_no_file_behind(browser, app_settings):
    for _ in range(2):
        assert browser.post("/guest/paste", json={"text": "x" * 100_001}).status_code == 413
    assert browser.post("/guest/evidence", files={"files": ("a", b"x" * 100_001)}).status_code == 413
    assert list(app_settings.staging_dir.glob("*")) == []
    assert browser.post("/guest/paste", content=b"x" * (2 << 20)).status_code == 413


def test_guest_cases_are_limited_in_number(browser):
    for _ in range(3):
        pasted(browser)
        browser.cookies.clear()
    answer = browser.post("/guest/paste", json={"text": TOP})
    assert answer.status_code == 507
    assert "sign in" in answer.json()["detail"]


def test_another_site_can_neither_send_nor_end_anything(browser):
    number = pasted(browser)
    foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert browser.post("/guest/paste", json={"text": TOP}, headers=foreign).status_code == 403
    assert browser.post("/guest/evidence", files={"files": b"x"}, headers=foreign).status_code == 403
    assert browser.delete("/guest", headers=foreign).status_code == 403
    assert browser.get(f"/cases/{number}").status_code == 200


def test_without_guests_the_message_says_to_sign_in(app: FastAPI, browser):
    app.state.settings = app.state.settings.model_copy(update={"guest_paste": False})
    assert browser.get("/guest").json()["is_open"] is False
    for answer in (
        browser.post("/guest/paste", json={"text": TOP}),
        browser.post("/guest/evidence", files={"files": ("a", b"x")}),
    ):
        assert answer.status_code == 403
        assert "sign in" in answer.json()["detail"]


def test_signing_in_claims_the_case_and_invalidates_the_guest_cookie(browser, address, sessions):
    number = pasted(browser)
    secret = browser.cookies[COOKIE]
    ada, ben = person(sessions, "ada", Role.RESPONDER), person(sessions, "ben", Role.RESPONDER)
    with signed_in(address, sessions, ada) as as_ada, signed_in(address, sessions, ben) as as_ben:
        assert as_ada.get(f"/cases/{number}").status_code == 404
        as_ada.cookies.set(COOKIE, secret)
        assert as_ada.post("/guest/keep").json() == {"number": number}
        assert as_ada.get(f"/cases/{number}").json()["expires_at"] is None
        assert as_ada.patch(f"/cases/{number}", json={"title": "db7"}).status_code == 200
        assert as_ben.get(f"/cases/{number}").status_code == 404
        assert as_ada.post("/guest/keep").status_code == 404
    assert browser.get(f"/cases/{number}").status_code == 401
    assert browser.get("/guest").json()["case"] is None
    assert made(sessions, number).owner_id == ada.id


def test_a_viewer_and_an_unknown_secret_claim_nothing(browser, address, sessions):
    pasted(browser)
    with signed_in(address, sessions, person(sessions, "vera", Role.VIEWER)) as as_vera:
        as_vera.cookies.set(COOKIE, browser.cookies[COOKIE])
        assert as_vera.post("/guest/keep").status_code == 403
    with signed_in(address, sessions, person(sessions, "ada", Role.RESPONDER)) as as_ada:
        as_ada.cookies.set(COOKIE, "cbk_g_" + "0" * 49)
        assert as_ada.post("/guest/keep").status_code == 404


def test_the_guest_deletes_it_at_once(browser, sessions, store, app_settings):
    number = pasted(browser)
    secret = browser.cookies[COOKIE]
    assert browser.delete("/guest").status_code == 204
    browser.cookies.set(COOKIE, secret)
    assert browser.get(f"/cases/{number}").status_code == 401
    assert browser.delete("/guest").status_code == 404
    assert clear_expired(sessions, store, app_settings) == 1


def over(sessions: sessionmaker[Session], number: int) -> None:
    """Have the time of a case be over, and that of what opens it."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    with sessions.begin() as session:
        case = session.scalar(
            update(Case).where(Case.number == number).values(expires_at=past).returning(Case.id)
        )
        session.execute(update(Token).where(Token.case_id == case).values(expires_at=past))


def test_an_expired_case_is_inaccessible_before_its_deletion(browser, sessions):
    number = pasted(browser)
    over(sessions, number)
    answer = browser.get(f"/cases/{number}")
    assert answer.status_code == 401
    assert "has expired" in answer.json()["detail"]
    assert browser.get("/guest").json()["case"] is None
    assert browser.delete("/guest").status_code == 404
    assert pasted(browser) != number


def test_every_step_is_in_the_audit_log(browser, address, sessions):
    number = pasted(browser)
    browser.get(f"/cases/{number}")
    with signed_in(address, sessions, person(sessions, "ada", Role.RESPONDER)) as as_ada:
        as_ada.cookies.set(COOKIE, browser.cookies[COOKIE])
        as_ada.post("/guest/keep")
    with sessions() as session:
        case_id = session.scalars(select(Case.id).where(Case.number == number)).one()
        entries = select(AuditEntry).where(AuditEntry.case_id == case_id).order_by(AuditEntry.number)
        noted = [(one.action, one.actor, one.via) for one in session.scalars(entries)]
        kind = session.scalars(select(Token.kind).where(Token.case_id == case_id)).one()
    assert noted == [
        ("guest.send", "guest", "guest"),
        ("case.read", "guest", "guest"),
        ("guest.keep", "ada", "session"),
    ]
    assert kind is TokenKind.GUEST
