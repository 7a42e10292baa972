"""The permission matrix: every endpoint, as every principal, for every relation to a case.

By turns: every endpoint gives each of its answers to somebody, and every action each of its answers to every
principal and for every relation to a case. `make sweeps` asks every endpoint as everybody for all relations.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from backend.access.actions import RULES, Action
from backend.access.permission_matrix import EVERYBODY, Answer, Caller, Endpoint, Sight, expected, page
from backend.core.storage.object_store import Store
from backend.models import Role
from tests.backend.access.case_requests import all_endpoints
from tests.backend.access.stage import Stage
from tests.backend.applications import api_schema, create_app
from tests.backend.conftest import settings_below
from tests.long_form import IS_LONG
from tests.transactions import Sent, rolled_back

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_the_permissions_page_is_current():
    assert Path("docs/permissions.md").read_text() == page(api_schema()), (
        "run `make generate-api` and look at the difference"
    )


@pytest.fixture(scope="module", params=EVERYBODY, ids=lambda somebody: somebody.name.replace(" ", "-"))
def stage(request, engine, settings, tmp_path_factory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("stage")
    own = settings_below(folder, settings)
    with rolled_back(engine, Sent(), settings) as sessions:
        stage = Stage(
            create_app(own, sessions=sessions, store=Store.open(own)), sessions, request.param, folder
        )
        with stage.loop:
            yield stage


def relations(somebody: Caller, endpoint: Endpoint) -> list[Sight]:
    """Return the relations to a case that make a difference to the answer."""
    if not RULES[endpoint.action].on_case or somebody.role is None:
        return [Sight.HIDDEN]
    if somebody.scopes is not None and not somebody.is_case_token and not somebody.is_guest:
        return [Sight.TEAM, Sight.HIDDEN, Sight.ABSENT]
    return list(Sight)


def answers(somebody: Caller, endpoint: Endpoint) -> dict[Answer, list[Sight]]:
    """Return the answers that are due, each with its relations."""
    due: dict[Answer, list[Sight]] = {}
    for sight in relations(somebody, endpoint):
        due.setdefault(expected(somebody, endpoint.action, sight), []).append(sight)
    return due


class Due(NamedTuple):
    """An answer that an endpoint owes to a principal with a relation to the case."""

    somebody: Caller
    endpoint: Endpoint
    answer: Answer
    sight: Sight

    def of_endpoint(self) -> tuple[str, ...]:
        """Return what every endpoint is asked for."""
        return self.endpoint.method, self.endpoint.path, self.answer

    def of_principal(self) -> tuple[str, ...]:
        """Return what every principal is answered."""
        return "principal", self.endpoint.action, self.answer, self.somebody.name

    def of_relation(self) -> tuple[str, ...]:
        """Return what every relation is answered."""
        return "relation", self.endpoint.action, self.answer, self.sight


@cache
def chosen() -> dict[tuple[Caller, Endpoint], set[Sight]]:
    """Return with which relations to ask: with all of them, or by turns.

    By turns every endpoint gives each of its answers once, every action each of its answers to every
    principal and for every relation. The check of an action is one place, whichever endpoint it is of.
    """
    sights: dict[tuple[Caller, Endpoint], set[Sight]] = {
        pair: set() for pair in product(EVERYBODY, all_endpoints())
    }
    if IS_LONG:
        return {pair: set(relations(*pair)) for pair in sights}
    due = [
        Due(*pair, answer, sight)
        for pair in sights
        for answer, alike in answers(*pair).items()
        for sight in alike
    ]
    asked: Counter[tuple[str, ...]] = Counter()
    # The first way is what every endpoint owes; the others add what no endpoint was asked for.
    for way in (Due.of_endpoint, Due.of_principal, Due.of_relation):
        alike_by: dict[tuple[str, ...], list[Due]] = {}
        for one in due:
            alike_by.setdefault(way(one), []).append(one)
        for owed, ones in alike_by.items():
            if not asked[owed]:
                one = min(ones, key=lambda one: asked[one.of_principal()] + asked[one.of_relation()])
                asked.update((one.of_endpoint(), one.of_principal(), one.of_relation()))
                sights[one.somebody, one.endpoint].add(one.sight)
    return sights


def is_endless(endpoint: Endpoint) -> bool:
    """Say whether the answer is a stream; that one is let in is shown in test_visibility.py."""
    return endpoint.path.endswith("/events")


def test_every_endpoint_answers_as_the_matrix_says(stage):
    wrong = []
    for endpoint in all_endpoints():
        for sight in chosen()[stage.somebody, endpoint]:
            due = expected(stage.somebody, endpoint.action, sight)
            if due is Answer.ALLOWED and is_endless(endpoint):
                continue
            got, text = stage.ask(endpoint, sight)
            if got is not due:
                wrong.append((endpoint.method, endpoint.path, sight.value, due.value, got.value, text[:200]))
    assert wrong == []


def test_hidden_and_absent_cases_answer_identically(stage):
    for endpoint in all_endpoints():
        is_hidden = expected(stage.somebody, endpoint.action, Sight.HIDDEN) is Answer.NOT_FOUND
        is_asked = {Sight.HIDDEN, Sight.ABSENT} & chosen()[stage.somebody, endpoint]
        if is_hidden and is_asked and endpoint.action is not Action.CASE_DROP:
            hidden, absent = stage.ask(endpoint, Sight.HIDDEN), stage.ask(endpoint, Sight.ABSENT)
            assert hidden == absent, endpoint
            assert "hidden words" not in hidden[1]
            # The same work, too: time would tell one from the other.
            work = [stage.statements(endpoint, sight) for sight in (Sight.HIDDEN, Sight.ABSENT)]
            assert work[0] == work[1] != [], endpoint


def test_a_list_holds_visible_cases_only(stage):
    listing = next(one for one in all_endpoints() if one.path == "/api/v1/cases" and one.method == "GET")
    got, text = stage.ask(listing, Sight.ABSENT)
    if got is not Answer.ALLOWED:
        return
    seen = {sight for sight, place in stage.places.items() if place.case_id in text}
    every = set(Sight) - {Sight.ABSENT}
    assert seen == (every if stage.somebody.role is Role.ADMIN else every - {Sight.HIDDEN})


def test_every_endpoint_principal_and_relation_is_asked_for_all_that_it_owes():
    due, asked = set(), set()
    for (somebody, endpoint), sights in chosen().items():
        for answer, alike in answers(somebody, endpoint).items():
            for sight in alike:
                one = Due(somebody, endpoint, answer, sight)
                owed = {one.of_endpoint(), one.of_principal(), one.of_relation()}
                due |= owed
                asked |= owed if sight in sights else set()
    assert due - asked == set()
