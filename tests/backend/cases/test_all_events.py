"""The event stream of all cases: visible ones only, resumed, ended with the session."""

from __future__ import annotations

from contextlib import contextmanager
from uuid import uuid4

import httpx
import pytest

from backend.access.actions import Scope
from backend.accounts import service as accounts
from backend.accounts import tokens
from backend.cases import all_events
from backend.models import Account, Role, Token, TokenKind, Visibility
from tests.backend.applications import create_app
from tests.backend.cases.listening import Stream, bearer, happen
from tests.backend.conftest import serving
from tests.backend.people import case as new_case
from tests.backend.people import person


@pytest.fixture
def url(app_settings, own_sessions, store, monkeypatch):
    monkeypatch.setattr(all_events, "POLL_SECONDS", 0.05)
    with serving(create_app(app_settings, sessions=own_sessions, store=store)) as served:
        yield served


@pytest.fixture
def viewer(own_sessions):
    account = person(own_sessions, f"integration {uuid4()}", Role.VIEWER)
    with own_sessions.begin() as session:
        token, secret = tokens.make(
            session, account.id, kind=TokenKind.API, name="x", scopes=[Scope.READ], lifetime=None
        )
        made = token.id, secret
    yield made
    with own_sessions.begin() as session:
        session.delete(session.get_one(Account, account.id))


@contextmanager
def listening_to_all(url, secret, **headers):
    with (
        httpx.Client(base_url=f"{url}/api/v1", headers=bearer(secret) | headers) as client,
        client.stream("GET", "/events", params={} if headers else {"after": 0}) as answer,
    ):
        assert answer.status_code == 200, answer.read()
        yield Stream(answer)


def test_it_has_the_events_of_visible_cases_in_order_and_resumes(url, own_sessions, viewer):
    _, secret = viewer
    mine = new_case(own_sessions)
    hidden = new_case(own_sessions, visibility=Visibility.RESTRICTED)
    for number in range(3):
        happen(own_sessions, hidden.id, "case.changed", title=f"secret {number}")
        happen(own_sessions, mine.id, "case.changed", title=f"shown {number}")
    happen(own_sessions, None, "reprocessing.done")
    with listening_to_all(url, secret) as stream:
        heard = stream.take(3)
        happen(own_sessions, mine.id, "case.deleted")
        heard += stream.take(1)
    assert [one.data["payload"].get("title") for one in heard] == ["shown 0", "shown 1", "shown 2", None]
    assert {one.data["case_number"] for one in heard} == {mine.number}
    assert [one.id for one in heard] == sorted({one.id for one in heard})
    with listening_to_all(url, secret, **{"Last-Event-ID": str(heard[1].id)}) as stream:
        assert [one.id for one in stream.take(2)] == [one.id for one in heard[2:]]


def test_pages_without_a_visible_event_are_passed_over(url, own_sessions, viewer, monkeypatch):
    monkeypatch.setattr(all_events, "PAGE_EVENTS", 2)
    mine, hidden = new_case(own_sessions), new_case(own_sessions, visibility=Visibility.RESTRICTED)
    for _ in range(5):
        happen(own_sessions, hidden.id, "case.changed")
    happen(own_sessions, mine.id, "case.changed", title="shown")
    with listening_to_all(url, viewer[1]) as stream:
        [heard] = stream.take(1)
    assert heard.data["payload"] == {"title": "shown"}


def test_admins_hear_events_of_the_service_and_a_listener_without_an_id_begins_now(url, own_sessions):
    with own_sessions.begin() as session:
        secret = accounts.create_api_token(session, name="admin")
    happen(own_sessions, None, "reprocessing.done", run="old")
    with (
        httpx.Client(base_url=f"{url}/api/v1", headers=bearer(secret)) as client,
        client.stream("GET", "/events") as answer,
    ):
        lines = answer.iter_lines()
        assert next(lines) == ": open"
        # The first look is over once a later event of a fresh listener has come.
        with listening_to_all(url, secret) as other:
            other.take(1)
        happen(own_sessions, None, "reprocessing.done", run="new")
        data = next(line for line in lines if line.startswith("data: "))
    assert '"run":"new"' in data


def test_a_revoked_token_ends_the_stream_and_sends_nothing_after(url, own_sessions, viewer, monkeypatch):
    token_id, secret = viewer
    monkeypatch.setattr(all_events, "KEEP_ALIVE_SECONDS", 0.2)
    mine = new_case(own_sessions)
    happen(own_sessions, mine.id, "case.changed", title="before")
    with listening_to_all(url, secret) as stream:
        assert len(stream.take(1)) == 1
        with own_sessions.begin() as session:
            tokens.revoke(session, session.get_one(Token, token_id))
        happen(own_sessions, mine.id, "case.changed", title="after")
        assert stream.rest() == []


def test_listeners_beyond_the_most_are_refused(url, viewer, monkeypatch):
    monkeypatch.setattr(all_events, "MAX_LISTENERS", 0)
    refused = httpx.get(f"{url}/api/v1/events", headers=bearer(viewer[1]))
    assert (refused.status_code, refused.json()["code"]) == (503, "Unavailable")
