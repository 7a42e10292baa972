"""An incident: status, assignee and tags, events with editable times, proposed times, and order on clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from backend.cases import service
from backend.core import events
from backend.models import Event, Role, Team, Visibility
from backend.postmortems.clocks import decide_order
from backend.postmortems.schemas import TimelineEntry
from ingest.readers.logs import kernel_log
from tests.backend.people import case as new_case
from tests.backend.people import person, signed_in
from tests.backend.stored_evidence import store_evidence

AT = "2026-11-21T03:07:00Z"


@pytest.fixture
def case(sessions):
    return new_case(sessions)


def record(web, case, kind, **more):
    answer = web.post(f"/cases/{case.number}/incident/events", json={"kind": kind, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def times(web, case):
    return {one["kind"]: one for one in web.get(f"/cases/{case.number}/incident").json()["times"]}


@pytest.mark.parametrize(
    ("change", "status", "state"),
    [
        ({"status": "mitigated"}, "mitigated", "open"),
        ({"status": "resolved"}, "resolved", "closed"),
        ({"state": "closed"}, "resolved", "closed"),
        ({"state": "open"}, "investigating", "open"),
    ],
)
def test_the_state_follows_the_status(case, web, change, status, state):
    changed = web.patch(f"/cases/{case.number}", json=change).json()
    assert (changed["status"], changed["state"]) == (status, state)
    assert (changed["closed_at"] is None) == (state == "open")
    listed = web.get("/cases", params={"status": status, "limit": 200}).json()["items"]
    assert case.number in [one["number"] for one in listed]


def test_reopening_by_the_old_field_keeps_a_mitigated_case_mitigated(case, web):
    web.patch(f"/cases/{case.number}", json={"status": "mitigated"})
    assert web.patch(f"/cases/{case.number}", json={"state": "open"}).json()["status"] == "mitigated"
    wrong = web.patch(f"/cases/{case.number}", json={"state": "open", "status": "resolved"})
    assert wrong.status_code == 400


def test_an_assignee_must_see_the_case(web, sessions):
    team_case = new_case(sessions, visibility=Visibility.RESTRICTED)
    ada = person(sessions, f"ada {uuid4()}", Role.RESPONDER)
    refused = web.patch(f"/cases/{team_case.number}", json={"assignee": ada.name})
    assert refused.status_code == 422
    web.put(f"/cases/{team_case.number}/people/{ada.id}")
    assigned = web.patch(f"/cases/{team_case.number}", json={"assignee": ada.name}).json()
    assert assigned["assignee"] == {"id": str(ada.id), "name": ada.name}
    found = web.get("/cases", params={"assignee": ada.name}).json()["items"]
    assert [one["number"] for one in found] == [team_case.number]
    assert web.patch(f"/cases/{team_case.number}", json={"assignee": None}).json()["assignee"] is None


def test_tags_are_words_in_lower_case_without_repetition(case, web):
    changed = web.patch(f"/cases/{case.number}", json={"tags": ["Postgres", " db ", "postgres"]}).json()
    assert changed["tags"] == ["db", "postgres"]
    assert web.get("/cases", params={"tag": "postgres"}).json()["items"][0]["number"] == case.number
    assert web.patch(f"/cases/{case.number}", json={"tags": ["a\u202eb"]}).status_code == 422


def test_several_cases_change_together_or_not_at_all(web, address, sessions):
    mine, other = new_case(sessions), new_case(sessions)
    hidden = new_case(sessions, visibility=Visibility.RESTRICTED)
    with signed_in(address, sessions, person(sessions, f"kim {uuid4()}", Role.RESPONDER)) as kim:
        named = {"case": [mine.number, other.number, hidden.number]}
        assert kim.patch("/cases", params=named, json={"severity": "low"}).status_code == 404
        assert kim.get(f"/cases/{mine.number}").json()["severity"] is None
        named = {"case": [mine.number, str(other.id), other.number]}
        body = {"status": "mitigated", "severity": "low", "add_tags": ["night"], "assignee": None}
        changed = kim.patch("/cases", params=named, json=body).json()["items"]
    assert [(one["number"], one["status"], one["severity"], one["tags"]) for one in changed] == [
        (mine.number, "mitigated", "low", ["night"]),
        (other.number, "mitigated", "low", ["night"]),
    ]
    cleared = web.patch("/cases", params={"case": [mine.number]}, json={"remove_tags": ["night"]}).json()
    assert cleared["items"][0]["tags"] == []
    assert cleared["items"][0]["severity"] == "low"


def test_an_event_states_a_time_of_the_incident_and_sets_the_status(case, web):
    assert times(web, case)["started"]["at"] is None
    detected = times(web, case)["detected"]
    assert (detected["is_proposed"], detected["says"]) == (True, "The case was opened")
    started = record(web, case, "started", at=AT, text="Queries time out")
    record(web, case, "mitigated", at="2026-11-21T04:00:00+01:00")
    now = times(web, case)
    assert (now["started"]["at"], now["started"]["event_id"], now["started"]["is_proposed"]) == (
        AT,
        started["id"],
        False,
    )
    assert now["mitigated"]["at"] == "2026-11-21T03:00:00Z"
    assert web.get(f"/cases/{case.number}").json()["status"] == "mitigated"
    record(web, case, "detected", at=AT)
    assert web.get(f"/cases/{case.number}").json()["status"] == "mitigated"
    record(web, case, "resolved")
    assert web.get(f"/cases/{case.number}").json()["state"] == "closed"


def test_a_changed_event_is_not_overwritten_and_a_deleted_one_comes_back(case, web):
    event = record(web, case, "started", at=AT)
    path = f"/incident/events/{event['id']}"
    earlier = {"at": "2026-11-21T03:01:00Z", "text": "first alert", "revision": 1}
    assert web.put(path, json=earlier).json()["revision"] == 2
    assert web.put(path, json={**earlier, "text": "lost?"}).status_code == 409
    assert times(web, case)["started"]["says"] == "first alert"
    assert web.delete(path).status_code == 204
    assert times(web, case)["started"]["at"] is None
    assert web.post(f"{path}/restore").json()["text"] == "first alert"


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1969-01-01T00:00:00Z"])
def test_a_time_that_no_incident_can_have_is_refused(case, web, at):
    answer = web.post(f"/cases/{case.number}/incident/events", json={"kind": "started", "at": at})
    assert answer.status_code == 422


def test_a_viewer_records_no_event(case, web, address, sessions):
    event = record(web, case, "action", text="restarted")
    with signed_in(address, sessions, person(sessions, f"vic {uuid4()}", Role.VIEWER)) as viewer:
        assert viewer.get(f"/cases/{case.number}/incident").json()["events"] == [event]
        path = f"/cases/{case.number}/incident/events"
        assert viewer.post(path, json={"kind": "started"}).status_code == 403
        assert viewer.patch("/cases", params={"case": case.number}, json={}).status_code == 403


def test_the_start_is_proposed_from_the_first_alarm_with_its_line(session, store, web, tmp_path):
    case = service.create(session, title="db7", actor="test")
    log = (
        b"2026-11-21T03:12:09,000000+00:00 eth0: link up\n"
        b"2026-11-21T03:12:44,500000+00:00 INFO: task mysqld:991 blocked for more than 120 seconds.\n"
    )
    file = store_evidence(session, store, tmp_path, case, log, kernel_log, name="dmesg.txt")
    store_evidence(session, store, tmp_path, case, log.replace(b"T03", b"T05"), kernel_log, name="later.txt")
    session.commit()
    started = times(web, case)["started"]
    assert started["at"] == "2026-11-21T03:12:44.500000Z"
    assert (started["is_proposed"], started["evidence_id"], started["line"]) == (True, str(file.id), 2)
    assert started["text"] == "INFO: task mysqld:991 blocked for more than 120 seconds"
    record(web, case, "started", at=AT)
    [alarm, _] = [
        one for one in web.get(f"/cases/{case.number}/timeline").json()["items"] if one["kind"] == "alarm"
    ]
    assert (alarm["clock"], alarm["uncertainty_s"], alarm["is_order_undecided"]) == ("host", 2.0, False)


def entry(name, seconds, clock, host=""):
    at = datetime(2026, 11, 21, 3, 0, tzinfo=UTC) + timedelta(seconds=seconds)
    kind = "alarm" if clock == "host" else "incident"
    return TimelineEntry(id=name, at=at, kind=kind, says=name, clock=clock, host=host)


def test_order_on_two_clocks_is_decided_only_beyond_their_uncertainty():
    entries = [
        entry("a1", 0.1, "host", "a"),
        entry("a2", 1.5, "host", "a"),
        entry("b1", 4.2, "host", "b"),
        entry("b2", 40.2, "host", "b"),
        entry("person", 120, "stated"),
        entry("a3", 179.5, "host", "a"),
        entry("a4", 900.5, "host", "a"),
    ]
    decide_order(reversed(entries))
    undecided = [one.id for one in entries if one.is_order_undecided]
    assert undecided == ["a2", "b1", "person", "a3"]


def test_an_event_says_the_team_of_its_case(web, sessions, session):
    with sessions.begin() as made:
        team = Team(name=f"db {uuid4()}")
        made.add(team)
        made.flush()
        team_id = team.id
    case = new_case(sessions, team_id=team_id)
    last = session.query(Event.id).order_by(Event.id.desc()).first()
    record(web, case, "started", at=AT)
    read = events.committed_after(session, last[0] if last else 0, 100)
    [mine] = [one for one in read if one.case_id == case.id]
    assert (mine.kind, mine.team_id, mine.payload["kind"]) == ("incident.event_added", team_id, "started")
