"""Access to a case by team, person or link; a hidden case answers like one that does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from backend.models import Account, Case, Role, Team, TeamMember, Visibility
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.backend.people import case, person, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx
    from sqlalchemy.orm import Session, sessionmaker

ABSENT = 2_000_000_000


@pytest.fixture
def ada(sessions: sessionmaker[Session]) -> Account:
    return person(sessions, "ada", Role.RESPONDER)


@pytest.fixture
def ben(sessions: sessionmaker[Session]) -> Account:
    return person(sessions, "ben", Role.VIEWER)


@pytest.fixture
def as_ada(address: str, sessions: sessionmaker[Session], ada: Account) -> Iterator[httpx.Client]:
    with signed_in(address, sessions, ada) as client:
        yield client


@pytest.fixture
def as_ben(address: str, sessions: sessionmaker[Session], ben: Account) -> Iterator[httpx.Client]:
    with signed_in(address, sessions, ben) as client:
        yield client


def seen(client: httpx.Client, q: str = "db7") -> list[str]:
    return [one["title"] for one in client.get("/cases", params={"q": q}).json()["items"]]


def problem_of(number: int, problem: dict[str, object]) -> dict[str, object]:
    """The same problem document for the case `number`."""
    detail, instance = f"there is no case {number}", f"/api/v1/cases/{number}"
    return problem | {"detail": detail, "instance": instance}


def test_a_case_without_a_team_is_visible_to_everyone(sessions, as_ben):
    number = case(sessions).number
    assert as_ben.get(f"/cases/{number}").status_code == 200
    assert seen(as_ben) == ["db7 stalls"]


def test_a_case_of_a_team_is_visible_to_that_team_only(sessions, ada, as_ada, as_ben):
    with sessions.begin() as session:
        team = Team(name="storage")
        session.add(team)
        session.flush()
        session.add(TeamMember(team_id=team.id, account_id=ada.id))
        team_id = team.id
    number = case(sessions, team_id=team_id).number
    assert as_ada.get(f"/cases/{number}").status_code == 200
    assert as_ben.get(f"/cases/{number}").status_code == 404
    assert (seen(as_ada), seen(as_ben)) == (["db7 stalls"], [])


def test_a_restricted_case_is_hidden_from_lists_search_and_responses(sessions, ada, as_ada, as_ben):
    number = case(sessions, visibility=Visibility.RESTRICTED, owner_id=ada.id).number
    assert seen(as_ada, "db7") == ["db7 stalls"]
    assert seen(as_ben, "db7") == seen(as_ben, str(number)) == []
    hidden, absent = as_ben.get(f"/cases/{number}"), as_ben.get(f"/cases/{ABSENT}")
    assert hidden.status_code == absent.status_code == 404
    # Only the number asked for differs; as JSON, so that a case 4 does not mask a status 404.
    assert hidden.json() == problem_of(number, absent.json())
    assert hidden.headers.keys() == absent.headers.keys()


def test_an_admin_sees_every_case(sessions, web):
    number = case(sessions, visibility=Visibility.RESTRICTED).number
    assert web.get(f"/cases/{number}").status_code == 200


def test_a_person_added_to_a_case_has_access_within_their_role(sessions, ada, ben, as_ada, as_ben):
    number = case(sessions, visibility=Visibility.RESTRICTED, owner_id=ada.id).number
    assert as_ada.put(f"/cases/{number}/people/{ben.id}").json()["people"][0]["name"] == "ben"
    assert as_ben.get(f"/cases/{number}").status_code == 200
    assert as_ben.patch(f"/cases/{number}", json={"title": "x"}).status_code == 403
    assert as_ada.delete(f"/cases/{number}/people/{ben.id}").json()["people"] == []
    assert as_ben.get(f"/cases/{number}").status_code == 404


def test_a_link_grants_read_access_until_it_expires(sessions, ada, as_ada, address):
    cleo = person(sessions, "cleo", Role.RESPONDER)
    number = case(sessions, visibility=Visibility.LINK, owner_id=ada.id).number
    made = as_ada.post(f"/cases/{number}/links", json={}).json()
    secret = made["url"].partition("#")[2]
    with signed_in(address, sessions, cleo) as as_cleo:
        assert as_cleo.get(f"/cases/{number}").status_code == 404
        assert as_cleo.post("/links/open", json={"secret": secret}).json() == {"number": number}
        assert as_cleo.get(f"/cases/{number}").status_code == 200
        access = as_cleo.get(f"/cases/{number}/access").json()
        assert (access["may_change"], access["may_share"], access["links"]) == (False, False, [])
        assert as_cleo.patch(f"/cases/{number}", json={"title": "x"}).status_code == 403
        assert as_ada.delete(f"/cases/{number}/links/{made['id']}").status_code == 204
        assert as_cleo.get(f"/cases/{number}").status_code == 404
        refused = as_cleo.post("/links/open", json={"secret": secret})
        never = as_cleo.post("/links/open", json={"secret": "never made"})
        assert (refused.status_code, refused.text) == (404, never.text)


def test_links_end_with_the_account_that_made_them(sessions, ada, as_ada, as_ben, address):
    cleo = person(sessions, "cleo", Role.CURATOR)
    number = case(sessions, visibility=Visibility.LINK, owner_id=ada.id).number
    made_by_ada = as_ada.post(f"/cases/{number}/links", json={}).json()["url"].partition("#")[2]
    with signed_in(address, sessions, person(sessions, "root", Role.ADMIN)) as root:
        by_root = root.post(f"/cases/{number}/links", json={}).json()["url"].partition("#")[2]
        with signed_in(address, sessions, cleo) as as_cleo:
            assert as_cleo.post("/links/open", json={"secret": made_by_ada}).status_code == 200
            assert as_cleo.get(f"/cases/{number}").status_code == 200
            assert root.patch(f"/members/{ada.id}", json={"is_disabled": True}).status_code == 200
            assert as_cleo.get(f"/cases/{number}").status_code == 404
            assert as_ben.post("/links/open", json={"secret": made_by_ada}).status_code == 404
            assert root.patch(f"/members/{ada.id}", json={"is_disabled": False}).status_code == 200
            assert as_cleo.get(f"/cases/{number}").status_code == 404
            assert as_cleo.post("/links/open", json={"secret": by_root}).status_code == 200
        timeline = root.get(f"/cases/{number}/timeline").json()["items"]
        assert "links to the case ended: root disabled ada, who made them" in [
            one["says"] for one in timeline
        ]


def test_a_share_link_is_refused_while_link_sharing_is_off(sessions, ada, as_ada, as_ben):
    number = case(sessions, visibility=Visibility.LINK, owner_id=ada.id).number
    secret = as_ada.post(f"/cases/{number}/links", json={}).json()["url"].partition("#")[2]
    assert as_ada.put(f"/cases/{number}/access", json={"visibility": "restricted"}).status_code == 200
    assert as_ben.post("/links/open", json={"secret": secret}).status_code == 404
    assert as_ben.get(f"/cases/{number}").status_code == 404


def test_only_owner_curator_or_admin_change_visibility(sessions, as_ada, address):
    number = case(sessions).number
    assert as_ada.put(f"/cases/{number}/access", json={"visibility": "restricted"}).status_code == 403
    with signed_in(address, sessions, person(sessions, "cur", Role.CURATOR)) as curator:
        assert curator.put(f"/cases/{number}/access", json={"visibility": "restricted"}).status_code == 200
        assert curator.get(f"/cases/{number}").status_code == 404


def test_a_new_case_belongs_to_its_creator_and_their_team(sessions, ada, as_ada, as_ben):
    with sessions.begin() as session:
        team = Team(name="storage")
        session.add(team)
        session.flush()
        session.add(TeamMember(team_id=team.id, account_id=ada.id))
    number = as_ada.post("/cases", json={"title": "ours"}).json()["number"]
    access = as_ada.get(f"/cases/{number}/access").json()
    assert (access["owner"]["name"], access["team"]["name"], access["may_share"]) == ("ada", "storage", True)
    assert as_ben.get(f"/cases/{number}").status_code == 404


def test_a_case_cannot_be_assigned_to_a_team_of_others(sessions, as_ada):
    number = as_ada.post("/cases", json={}).json()["number"]
    with sessions.begin() as session:
        team = Team(name="others")
        session.add(team)
        session.flush()
        team_id = str(team.id)
    given = as_ada.put(f"/cases/{number}/access", json={"visibility": "team", "team_id": team_id})
    assert given.status_code == 404


def test_a_stream_ends_when_the_case_is_hidden_from_its_reader(pipeline):
    # A stream asks the database by itself while we change it: each needs a connection of its own.
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    reader, made = person(pipeline.sessions, "reader of a stream", Role.VIEWER), case(pipeline.sessions)
    with (
        serving(app) as address,
        signed_in(address, pipeline.sessions, reader) as browser,
        browser.stream("GET", f"/cases/{made.number}/events") as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines) == ": open"
        with pipeline.sessions.begin() as session:
            session.execute(update(Case).where(Case.id == made.id).values(visibility=Visibility.RESTRICTED))
        assert not any(line.startswith("data") for line in lines)


def test_a_disabled_account_cannot_sign_in(sessions, ben, as_ben):
    assert as_ben.get("/me").json()["role"] == "viewer"
    with sessions.begin() as session:
        session.get_one(Account, ben.id).disabled_at = ben.created_at
    assert as_ben.get("/me").status_code == 401
