"""Story authors, each with their own browser."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from backend.library import index
from backend.models import Role
from tests.backend.people import person, signed_in


@pytest.fixture
def library(sessions):
    with sessions.begin() as session:
        index.fill_session(session)


@pytest.fixture
def people(address, sessions):
    """Return a function that gives the browser of somebody with a role; the same name is the same person."""
    known = {}
    with ExitStack() as stack:

        def browser(name: str, role: Role = Role.RESPONDER):
            if name not in known:
                account = person(sessions, name, role)
                known[name] = stack.enter_context(signed_in(address, sessions, account))
            return known[name]

        yield browser


@pytest.fixture
def begin():
    """Begin a story and return it."""

    def begun(browser, **changes):
        content = {"title": "Ping spikes", "text": "It began on a Tuesday.\n"} | changes
        answer = browser.post("/stories", json=content)
        assert answer.status_code == 201, answer.text
        return answer.json()

    return begun


@pytest.fixture
def save():
    """Save a draft from the version that it had, or another; return the answer."""

    def saved(browser, story, *, version=None, **changes):
        names = ("title", "area", "symptoms", "fix", "text")
        content = {name: story[name] for name in names} | {
            "signatures": [one["id"] for one in story["signatures"]],
            "cases": [one["number"] for one in story["cases"]],
        }
        held = {"If-Match": f'"{story["version"] if version is None else version}"'}
        return browser.put(f"/stories/{story['number']}/draft", json=content | changes, headers=held)

    return saved
