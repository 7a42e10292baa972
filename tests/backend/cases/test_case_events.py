"""The event stream: everything that happened, then what happens, resumed where it stopped."""

from __future__ import annotations

import json

import httpx
import pytest

from backend.accounts import service as accounts
from backend.app import create_app
from backend.core.database import create_sessions
from tests.backend.conftest import serving


@pytest.fixture
def web(app_settings, settings, store):
    """A signed-in client of an application with connections of its own: a stream reads while others write."""
    sessions = create_sessions(settings)
    with sessions.begin() as session:
        token = accounts.create_api_token(session, name="events")
    with (
        serving(create_app(app_settings, sessions=sessions, store=store)) as url,
        httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"}) as client,
    ):
        yield client
    sessions.kw["bind"].dispose()


def events_of(web, path, count, headers=None):
    """Return the first `count` events of a stream as (id, kind, data)."""
    told, current = [], {}
    with web.stream("GET", path, headers=headers or {}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith(("id:", "event:", "data:")):
                name, _, value = line.partition(":")
                current[name] = value.strip()
            elif not line and "data" in current:
                told.append((int(current["id"]), current["event"], json.loads(current["data"])))
                current = {}
                if len(told) == count:
                    break
    return told


def test_a_stream_begins_with_what_happened_and_resumes_after_the_last_seen(web):
    case = web.post("/cases", json={"title": "first"}).json()
    web.patch(f"/cases/{case['id']}", json={"title": "second"})
    path = f"/cases/{case['id']}/events"
    created, changed = events_of(web, path, 2)
    assert [created[1], changed[1]] == ["case.created", "case.changed"]
    assert changed[2]["payload"] == {"title": "second"}
    assert created[0] < changed[0]
    assert events_of(web, path, 1, {"Last-Event-ID": str(created[0])}) == [changed]


def test_the_stream_of_an_unknown_case_is_a_404(web):
    assert web.get("/cases/99999/events").status_code == 404
