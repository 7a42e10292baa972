"""Every access to a case is audited, and refused while the audit log cannot be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text

from backend.core.audit_entry import AuditEntry
from backend.models import Role
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.backend.people import case, person, signed_in
from tests.transactions import as_owner

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx
    from sqlalchemy.orm import Session, sessionmaker


@pytest.fixture
def ada(address: str, sessions: sessionmaker[Session]) -> Iterator[httpx.Client]:
    with signed_in(address, sessions, person(sessions, "ada", Role.RESPONDER)) as client:
        yield client


@pytest.fixture
def evidence(ada: httpx.Client) -> str:
    return ada.put("/evidence/vmstat.txt", content=b"allocstall 7\n").json()["evidence"][0]["id"]


def trail(sessions: sessionmaker[Session], actor: str = "ada") -> list[tuple[str, str, bool]]:
    with sessions() as session:
        rows = session.scalars(
            select(AuditEntry).where(AuditEntry.actor == actor).order_by(AuditEntry.number)
        )
        return [(row.action, row.subject, row.is_refused) for row in rows]


def test_every_download_is_audited_and_a_view_once_an_hour(ada, sessions, evidence):
    before = len(trail(sessions))
    for _ in range(2):
        assert ada.get(f"/evidence/{evidence}/content").content == b"allocstall 7\n"
        assert ada.get(f"/evidence/{evidence}").status_code == 200
    place = f"/api/v1/evidence/{evidence}"
    export = ("case.export", f"GET {place}/content", False)
    assert trail(sessions)[before:] == [export, ("case.read", f"GET {place}", False), export]


def test_a_download_entry_names_actor_credential_address_and_case(ada, sessions, evidence):
    ada.get(f"/evidence/{evidence}/content")
    with sessions() as session:
        left = select(AuditEntry).where(AuditEntry.action == "case.export").order_by(AuditEntry.number.desc())
        entry = session.scalars(left.limit(1)).one()
        identity = (entry.actor, entry.via, entry.address)
        assert identity == ("ada", "session", "127.0.0.1")
        assert entry.case_id is not None
        assert entry.token_id is not None


def test_an_event_stream_is_audited_when_it_opens(pipeline):
    # A stream asks the database by itself while we look: each needs a connection of its own.
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    listener, number = person(pipeline.sessions, "listener", Role.RESPONDER), case(pipeline.sessions).number
    with (
        serving(app) as address,
        signed_in(address, pipeline.sessions, listener) as browser,
        browser.stream("GET", f"/cases/{number}/events") as stream,
    ):
        assert next(stream.iter_lines()) == ": open"
        noted = ("case.read", f"GET /api/v1/cases/{number}/events", False)
        assert noted in trail(pipeline.sessions, "listener")


def test_a_refusal_is_audited(ada, sessions):
    ada.get("/audit")
    ada.patch("/cases/2000000000", json={})
    assert ("administer", "GET /api/v1/audit", True) in trail(sessions)


def test_sign_in_attempts_are_audited_without_the_secret(browser, sessions):
    browser.post("/session", json={"token": "a-guess-at-a-link"})
    with sessions() as session:
        tried = select(AuditEntry).where(AuditEntry.action == "sign-in").order_by(AuditEntry.number.desc())
        entry = session.scalars(tried.limit(1)).one()
        assert (entry.actor, entry.subject, entry.is_refused) == ("", "one-time link", True)
        assert "a-guess" not in repr(vars(entry))


BROKEN = {
    "no space": "alter table audit_entry add constraint full_disk check (false) not valid",
    "no table": "alter table audit_entry rename to moved",
    "no head": "alter table audit_head rename to moved",
    "no right": "revoke insert on audit_entry from casebook_app",
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_no_response_is_sent_while_the_audit_log_is_unavailable(ada, web, sessions, evidence, broken):
    number = case(sessions).number
    with sessions() as session:
        as_owner(session)
        session.execute(text(broken))
        session.execute(text("set local role casebook_app"))
        session.commit()
    refused = [
        ada.get(f"/evidence/{evidence}/content"),
        ada.get(f"/cases/{number}"),
        ada.get("/cases"),
        ada.patch(f"/cases/{number}", json={"title": "x"}),
        web.get(f"/cases/{number}/events"),
        ada.get("/audit"),
    ]
    assert [answer.status_code for answer in refused] == [503] * len(refused)
    assert [answer.content for answer in refused] == [b""] * len(refused)
    assert all(answer.headers["retry-after"] for answer in refused)
    assert ada.get("/signatures").status_code == 200


def test_the_audit_log_is_paginated(web, ada):
    for _ in range(3):
        ada.post("/cases", json={})
    answer = web.get("/audit", params={"actor": "ada", "limit": 2})
    page = answer.json()["items"]
    assert [entry["action"] for entry in page] == ["case.open", "case.open"]
    rest = web.get(str(answer.url.join(answer.links["next"]["url"]))).json()["items"]
    assert page[-1]["number"] > rest[0]["number"]
    assert ada.get("/audit").status_code == 403
