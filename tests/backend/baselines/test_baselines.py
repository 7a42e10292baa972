"""Baselines in the service: points, trends, differences, and who sees them."""

from __future__ import annotations

import copy
import hashlib
from contextlib import ExitStack

import pytest
from sqlalchemy import delete, select

from backend.baselines import service
from backend.core.audit_entry import AuditEntry
from backend.models import Baseline, Role, Team, TeamMember
from ingest.comparison import costs_document, stacks_document
from tests.backend.people import person, signed_in
from tests.ingest.comparison.runs import of_stacks

NAMES = {"project": "db/proxy", "benchmark": "load", "machine": "8 x Xeon", "kernel": "6.18.44"}


def document(number: int, parse: int = 60, **changes: object) -> dict[str, object]:
    """Return a point of day `number`: one run in which `parse` of the samples are in `parse`."""
    run = of_stacks({"main;read": 100 + number % 3, "main;parse": parse}, work=10.0)
    return {
        **NAMES,
        "commit": f"c{number:02}",
        "measured_at": f"2026-11-{number:02}T12:00:00Z",
        "is_work_known": True,
        "comms": [],
        "runs": [
            {
                "sha256": [hashlib.sha256(f"{number} {parse}".encode()).hexdigest()],
                "work": run.work,
                "costs": costs_document.to_document(run.costs),
            }
        ],
        "stacks": stacks_document.to_document([run]),
        **changes,
    }


def add(client, number, parse=60, **changes):
    answer = client.post("/baselines", json=document(number, parse, **changes))
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture
def people(address, sessions):
    """Return a function that gives the browser of a new account, by name, role and team."""
    with ExitStack() as stack:

        def browser(name: str, role: Role = Role.RESPONDER, team: str = ""):
            account = person(sessions, name, role)
            if team:
                with sessions.begin() as session:
                    row = session.scalar(select(Team).where(Team.name == team)) or Team(name=team)
                    session.add(row)
                    session.flush()
                    session.add(TeamMember(team_id=row.id, account_id=account.id))
            return stack.enter_context(signed_in(address, sessions, account))

        yield browser


def test_points_of_one_build_after_another_are_a_trend_with_its_change_point(web):
    for number in range(1, 13):
        added = add(web, number, 60 if number < 7 else 120)
    (series,) = web.get("/baselines", params={"project": "db/proxy"}).json()["items"]
    assert {name: series[name] for name in NAMES} == NAMES
    assert (series["points"], series["latest_commit"], series["team"]) == (12, "c12", None)
    trend = web.get(f"/baselines/{added['baseline_id']}").json()
    assert [point["commit"] for point in trend["trend"]] == [f"c{number:02}" for number in range(1, 13)]
    assert trend["trend"][0]["value"] == pytest.approx(16.1)
    (change,) = trend["changes"]
    assert (change["at"], change["growth"]) == (6, pytest.approx(0.37, abs=0.01))
    assert trend["measures"][:2] == ["cpu", "unknown.main"]


def test_the_trend_of_a_function_is_that_of_its_time_and_unknown_ones_have_none(web):
    found = add(web, 1)["baseline_id"]
    values = [
        web.get(f"/baselines/{found}", params={"measure": name}).json()["trend"][0]["value"]
        for name in ("unknown.parse", "user.absent")
    ]
    assert values == [pytest.approx(6.0), None]


def test_two_points_are_one_flame_graph_difference(web):
    base, new = add(web, 1), add(web, 2, 120)
    url = f"/baselines/{new['baseline_id']}/points/{new['id']}/diff"
    diff = web.get(url, params={"base": base["id"], "min_share": 0}).json()
    shares = {
        diff["names"][frame]: (round(a / diff["total_a"], 2), round(b / diff["total_b"], 2))
        for frame, a, b in zip(diff["frame"], diff["weight_a"], diff["weight_b"], strict=True)
    }
    assert shares["parse"] == (0.37, 0.54)
    assert (diff["base_id"], diff["profile_id"]) == (base["id"], new["id"])
    assert web.get(url, params={"base": base["baseline_id"]}).status_code == 404


def test_a_point_without_stacks_has_no_flame_graph(web):
    base, new = add(web, 1), add(web, 2, stacks=None)
    answer = web.get(f"/baselines/{new['baseline_id']}/points/{new['id']}/diff", params={"base": base["id"]})
    assert (answer.status_code, "without stacks" in answer.json()["detail"]) == (422, True)


def test_a_point_is_returned_as_it_was_added(web):
    sent = document(1)
    added = add(web, 1)
    read = web.get(f"/baselines/{added['baseline_id']}/points/{added['id']}").json()
    assert (read["runs"], read["stacks"]) == (sent["runs"], sent["stacks"])


def test_the_same_recordings_are_one_point(web):
    first = add(web, 1)
    again = web.post("/baselines", json=document(1))
    assert (again.status_code, again.json()) == (200, {**first, "is_new": False})
    two = document(2)
    two["runs"] += document(1)["runs"]
    answer = web.post("/baselines", json=two)
    assert (answer.status_code, first["id"] in answer.json()["detail"]) == (409, True)


def test_a_baseline_keeps_its_latest_points(web, monkeypatch):
    monkeypatch.setattr(service, "MAX_POINTS", 3)
    for number in (2, 3, 4, 5, 1):
        found = add(web, number)["baseline_id"]
    trend = web.get(f"/baselines/{found}").json()["trend"]
    assert [point["commit"] for point in trend] == ["c03", "c04", "c05"]


def test_a_team_has_a_limit_of_baselines(web, monkeypatch):
    monkeypatch.setattr(service, "MAX_SERIES", 1)
    add(web, 1)
    answer = web.post("/baselines", json=document(1, benchmark="other"))
    assert (answer.status_code, "delete those" in answer.json()["detail"]) == (409, True)


def test_a_team_has_a_limit_of_what_its_baselines_take(web, monkeypatch):
    first = add(web, 1)
    monkeypatch.setattr(service, "MAX_STORED_BYTES", 100)
    answer = web.post("/baselines", json=document(2))
    assert (answer.status_code, "100 bytes already" in answer.json()["detail"]) == (409, True)
    assert web.post("/baselines", json=document(1)).json()["id"] == first["id"]


def test_the_last_point_takes_its_baseline_along(web):
    points = [add(web, number) for number in (1, 2)]
    url = f"/baselines/{points[0]['baseline_id']}"
    assert web.delete(f"{url}/points/{points[0]['id']}").status_code == 204
    assert web.get(url).json()["points"] == 1
    assert web.delete(f"{url}/points/{points[1]['id']}").status_code == 204
    assert web.get(url).status_code == 404


def test_a_baseline_of_a_team_is_seen_by_its_members_and_admins(people, sessions):
    ann, bob, eve = people("ann", team="db"), people("bob", team="db"), people("eve", team="web")
    found = add(ann, 1)["baseline_id"]
    assert add(bob, 2)["baseline_id"] == found
    assert add(eve, 1)["baseline_id"] != found
    assert [client.get(f"/baselines/{found}").status_code for client in (ann, bob, eve)] == [200, 200, 404]
    assert len(eve.get("/baselines").json()["items"]) == 1
    root = people("root", Role.ADMIN)
    assert {one["team"] for one in root.get("/baselines").json()["items"]} == {"db", "web"}
    assert eve.delete(f"/baselines/{found}").status_code == 404
    with sessions.begin() as session:
        team = str(session.scalar(select(Team.id).where(Team.name == "db")))
    refused = root.delete(f"/teams/{team}")
    assert (refused.status_code, "baselines (1)" in refused.json()["detail"]) == (409, True)
    assert ann.delete(f"/baselines/{found}").status_code == 204


def test_a_viewer_sees_baselines_and_changes_none(people):
    found = add(people("ann"), 1)["baseline_id"]
    viewer = people("vic", Role.VIEWER)
    assert viewer.get(f"/baselines/{found}").status_code == 200
    assert viewer.post("/baselines", json=document(2)).status_code == 403
    assert viewer.delete(f"/baselines/{found}").status_code == 403


def test_additions_and_deletions_are_in_the_audit_log(web, sessions):
    found = add(web, 1)["baseline_id"]
    web.delete(f"/baselines/{found}")
    with sessions.begin() as session:
        actions = session.scalars(select(AuditEntry.action).order_by(AuditEntry.number.desc()).limit(2)).all()
    assert actions == ["baseline.change", "baseline.add"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("runs",), []),
        (("runs", 0, "sha256"), ["no digest"]),
        (("runs", 0, "work"), 0),
        (("runs", 0, "costs", "weight"), -1),
        (("runs", 0, "costs", "functions"), {"user.main": ["a"] * 4000}),
        (("stacks", "depth"), [0, 7]),
        (("project",), " "),
        (("machine",), "a\u202eb"),
        (("measured_at",), "2026-11-01T12:00:00"),
        (("measured_at",), "9999-12-31T23:59:59-23:00"),
        (("stacks", "names"), 5),
        (("runs", 0, "costs", "conditions", "host"), "a\0"),
        (("colour",), "red"),
    ],
    ids=lambda one: ".".join(map(str, one)) if isinstance(one, tuple) else None,
)
def test_what_is_no_point_is_refused_and_stores_nothing(web, sessions, path, value):
    body = copy.deepcopy(document(1))
    place = body
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    answer = web.post("/baselines", json=body)
    assert answer.status_code == 422, answer.text
    assert len(answer.text) < 3000
    with sessions.begin() as session:
        assert session.execute(delete(Baseline)).rowcount == 0
