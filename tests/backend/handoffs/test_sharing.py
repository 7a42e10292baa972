"""A recipient opens a link without an account, reads, accepts, answers; revoking a link is immediate."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from backend.access.secrets import digest
from backend.accounts.domain_events import AccountDisabled
from backend.core import audit, audit_chain
from backend.core.domain_events import publish
from backend.models import Account, AuditEntry, Event, Share, SharePass
from tests.backend.handoffs.conftest import SECRETS


class Recipient:
    """A browser without an account that has a link."""

    def __init__(self, browser, secret):
        self.browser = browser
        self.opened = browser.post("/shares/open", json={"secret": secret})
        word = self.opened.json().get("share_pass", "")
        self.headers = {"Casebook-Pass": word}

    def get(self, path):
        return self.browser.get(f"/shares/{path}", headers=self.headers)

    def post(self, path, **body):
        return self.browser.post(f"/shares/{path}", json=body, headers=self.headers)


@pytest.fixture
def secret(maker, handoff):
    return maker.offered(handoff)


@pytest.fixture
def recipient(browser, secret):
    return Recipient(browser, secret)


def test_a_link_reader_sees_every_page_redacted(recipient):
    body = recipient.opened.json()["handoff"]
    assert (body["state"], body["sender"], body["recipient"]) == ("offered", "owner", "Kernel support")
    lines = recipient.get("evidence/3/lines").json()
    assert (lines["total_lines"], len(lines["lines"])) == (3, 3)
    picture = recipient.get("pictures/0.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    whole = [json.dumps(body), json.dumps(lines), picture.text, recipient.get("case.html").text]
    for text in whole:
        assert not [one for one in SECRETS if one in text]


def test_the_downloaded_bundle_equals_the_prepared_one(recipient, maker, handoff):
    mine = recipient.get("bundle")
    assert mine.headers["content-disposition"].endswith("handoff.casebook.tar.zst")
    assert mine.content == maker.web.get(f"{maker.url}/{handoff['id']}/bundle").content


def test_both_sides_exchange_messages_until_resolution(recipient, maker, handoff):
    url = f"{maker.url}/{handoff['id']}"
    assert recipient.post("accept", name="Ada, kernel support").json()["state"] == "accepted"
    assert recipient.post("messages", name="Ada", text="Which kernel before?").status_code == 201
    maker.web.post(f"{url}/messages", json={"text": "5.14"})
    body = recipient.post("answer", name="Ada", text="Update to 5.15.").json()
    assert body["state"] == "answered"
    said = [(one["author"], one["from_recipient"], one["text"]) for one in body["messages"]]
    assert said == [
        ("Ada", True, "Which kernel before?"),
        ("owner", False, "5.14"),
        ("Ada", True, "Update to 5.15."),
    ]
    assert maker.web.get(url).json()["messages"] == body["messages"]
    assert maker.web.post(f"{url}/close").json()["state"] == "closed"
    assert recipient.get("handoff").json()["state"] == "closed"
    assert recipient.post("messages", name="Ada", text="one more").status_code == 409


def test_every_step_is_in_the_event_log_and_in_the_audit_log(recipient, session, case):
    recipient.post("accept", name="Ada")
    recipient.get("bundle")
    kinds = list(session.scalars(select(Event.kind).where(Event.case_id == case.id).order_by(Event.id)))
    assert [kind for kind in kinds if kind.startswith("handoff.")] == [
        "handoff.begun",
        "handoff.ready",
        "handoff.offered",
        "handoff.opened",
        "handoff.accepted",
    ]
    by_link = select(AuditEntry).where(AuditEntry.case_id == case.id, AuditEntry.via == "link")
    noted = session.scalars(by_link.order_by(AuditEntry.number))
    # Whoever opens a link may call themselves like a member: the name is no actor.
    assert [(one.actor, re.sub(r"[0-9a-f-]{36}", "ID", one.subject)) for one in noted] == [
        ("", 'handoff ID opened by link ID for "Kernel support"'),
        ("", 'handoff ID accepted by link ID as "Ada"'),
        ("", 'handoff ID bundle downloaded by link ID for "Kernel support"'),
    ]
    assert audit_chain.verify(session, session.info[audit.KEY].get(may_create=False)).broken is None


def test_the_timeline_has_its_state_changes(recipient, maker, handoff, case):
    recipient.post("accept", name="Ada")
    maker.web.post(f"{maker.url}/{handoff['id']}/close")
    body = maker.web.get(f"/cases/{case.number}/timeline").json()["items"]
    assert [entry["says"] for entry in body if entry["kind"] == "handoff"] == [
        "owner offered the case to Kernel support",
        "Kernel support opened the handoff",
        "Ada, by the link for Kernel support, took the case over",
        "owner closed the handoff to Kernel support",
    ]


def test_only_hashes_are_stored(recipient, secret, session):
    kept = session.scalars(select(Share.hash)).all()
    assert digest(secret) in kept
    assert secret not in kept
    assert digest(recipient.headers["Casebook-Pass"]) in session.scalars(select(SharePass.hash)).all()


def test_a_revoked_link_is_gone_for_readers_who_opened_it(recipient, maker, handoff, browser, secret):
    share = maker.web.get(f"{maker.url}/{handoff['id']}").json()["shares"][0]
    assert maker.web.delete(f"{maker.url}/{handoff['id']}/links/{share['id']}").status_code == 204
    assert [recipient.get(path).status_code for path in ("handoff", "bundle", "case.html")] == [410, 410, 410]
    again = browser.post("/shares/open", json={"secret": secret})
    assert (again.status_code, again.json()["detail"]) == (
        410,
        "this link has ended; ask whoever sent it for another",
    )


def test_a_link_ends_with_the_account_that_made_it(recipient, maker, secret, session, case):
    assert recipient.get("handoff").status_code == 200
    owner = session.scalars(select(Account).where(Account.is_owner)).one()
    # What disabling an account publishes; the owner of the instance cannot be disabled.
    publish(session, AccountDisabled(owner.id, owner.name, "root"))
    session.commit()
    assert recipient.get("handoff").status_code == 410
    assert recipient.browser.post("/shares/open", json={"secret": secret}).status_code == 410
    timeline = maker.web.get(f"/cases/{case.number}/timeline").json()["items"]
    assert "a link to the handoff ended: root disabled owner, who made it" in [
        entry["says"] for entry in timeline
    ]


def test_an_expired_pass_is_renewed_while_the_link_is_valid(recipient, browser, secret, session):
    session.execute(update(SharePass).values(expires_at=datetime.now(UTC) - timedelta(seconds=1)))
    session.commit()
    answer = recipient.get("handoff")
    assert (answer.status_code, answer.json()["detail"]) == (
        410,
        "this was opened more than 12 hours ago; open the link again",
    )
    assert browser.post("/shares/open", json={"secret": secret}).status_code == 200


def test_an_expired_link_is_gone(recipient, browser, secret, session):
    session.execute(update(Share).values(expires_at=datetime.now(UTC) - timedelta(seconds=1)))
    session.commit()
    assert recipient.get("handoff").status_code == 410
    assert browser.post("/shares/open", json={"secret": secret}).status_code == 410


def test_a_link_has_a_limit_of_openings(maker, handoff, browser):
    secret = maker.offered(handoff, views=2)
    answers = [browser.post("/shares/open", json={"secret": secret}).status_code for _ in range(4)]
    assert answers == [200, 200, 410, 410]
    share = maker.web.get(f"{maker.url}/{handoff['id']}").json()["shares"][-1]
    assert (share["views"], share["views_left"]) == (2, 0)


def test_a_link_preview_uses_no_opening(maker, handoff, browser):
    secret = maker.offered(handoff, views=1)
    assert browser.get(f"/shares/open?secret={secret}").status_code == 405
    assert browser.post("/shares/open", json={"secret": secret}).status_code == 200


def test_an_unknown_link_and_a_missing_pass_are_refused(browser):
    assert browser.post("/shares/open", json={"secret": "x" * 43}).status_code == 404
    assert browser.get("/shares/handoff").status_code == 410
    assert browser.get("/shares/bundle", headers={"Casebook-Pass": "x"}).status_code == 410


def test_a_missing_file_is_reported(recipient):
    assert recipient.get("evidence/9/lines").status_code == 404
    assert recipient.get("pictures/9.svg").status_code == 404
