"""Alerts open one case per grouping key, extend it, resolve it, and open another one once it is closed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import func, select

from backend.access.actions import Scope
from backend.accounts import tokens
from backend.alerts import labels, rows
from backend.models import Alert, AlertGroup, Event, IncidentEvent, Role, TokenKind
from tests.backend.people import person

GRAFANA = json.loads(Path(__file__).with_name("grafana.json").read_text())
FIRED = "2026-11-21T03:07:04.120000Z"
RESOLVED = "2026-11-21T03:42:10Z"


def client_of(address, sessions, account, scope=Scope.ALERTS):
    with sessions.begin() as session:
        _, secret = tokens.make(
            session, account.id, kind=TokenKind.API, name="am", scopes=[scope], lifetime=None
        )
    return httpx.Client(base_url=f"{address}/api/v1", headers={"Authorization": f"Bearer {secret}"})


@pytest.fixture
def sender(sessions):
    return person(sessions, f"alertmanager {uuid4()}", Role.RESPONDER)


@pytest.fixture
def alerts(address, sessions, sender):
    with client_of(address, sessions, sender) as client:
        yield client


def alert(status="firing", *, name="HighLoad", instance="db7:9100", starts_at=FIRED, **more):
    return {
        "status": status,
        "labels": {"alertname": name, "instance": instance, "severity": "page", **more.pop("labels", {})},
        "annotations": {"summary": "Load of 96", "runbook_url": "https://runbooks.example.com/load"},
        "startsAt": starts_at,
        "endsAt": RESOLVED if status == "resolved" else "0001-01-01T00:00:00Z",
        "generatorURL": "https://prometheus.example.com/graph",
        "fingerprint": f"{name} {instance}",
        **more,
    }


def send(alerts, *sent, key="{}:{}", expected=200, **more):
    body = {"version": "4", "groupKey": key, "status": "firing", "receiver": "x", "alerts": list(sent)}
    content = json.dumps({**body, **more})
    answer = alerts.post(
        "/alerts/alertmanager", content=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == expected, answer.text
    return answer.json()


def timeline(web, number):
    return web.get(f"/cases/{number}/timeline", params={"limit": 1000}).json()["items"]


def times(web, number):
    return {one["kind"]: one["at"] for one in web.get(f"/cases/{number}/incident").json()["times"]}


def test_a_group_is_one_case_with_host_severity_links_and_a_command_to_collect(alerts, web, address):
    opened = send(alerts, alert())
    number = opened["case_number"]
    assert opened["is_opened"]
    assert opened["case_url"].endswith(f"/cases/{number}")
    case = web.get(f"/cases/{number}").json()
    assert (case["title"], case["severity"], case["status"]) == (
        "HighLoad on db7",
        "critical",
        "investigating",
    )
    assert times(web, number)["started"] == FIRED
    [fired] = [one for one in timeline(web, number) if one["kind"] == "alert"]
    assert (fired["at"], fired["clock"], fired["host"]) == (FIRED, "alerts", "db7")
    assert [one["label"] for one in fired["links"]] == ["Source", "Runbook"]
    assert number in [one["number"] for one in web.get("/cases", params={"q": "host:db7"}).json()["items"]]

    again = send(alerts, alert(), alert(name="SlowDisk"))
    assert (again["case_number"], again["is_opened"], again["kept"], again["collect"]) == (
        number,
        False,
        2,
        None,
    )
    secret = opened["collect"].split("Bearer ")[1].split("'")[0]
    script = httpx.get(f"{address}/collect.sh", headers={"Authorization": f"Bearer {secret}"})
    assert secret in script.text
    dropped = httpx.put(
        f"{address}/api/v1/drop/dmesg.txt",
        content=b"[1.0] x\n",
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert dropped.status_code == 202
    assert (
        httpx.get(
            f"{address}/api/v1/cases/{number}", headers={"Authorization": f"Bearer {secret}"}
        ).status_code
        == 403
    )


def test_resolved_alerts_mitigate_the_case_at_their_own_time_and_firing_again_takes_that_back(
    alerts, web, sessions
):
    number = send(alerts, alert(), alert(name="SlowDisk"))["case_number"]
    half = send(alerts, alert("resolved"), alert(name="SlowDisk"))
    assert (half["firing"], web.get(f"/cases/{number}").json()["status"]) == (1, "investigating")
    for _ in range(2):
        assert send(alerts, alert("resolved"), alert("resolved", name="SlowDisk"))["firing"] == 0
    assert web.get(f"/cases/{number}").json()["status"] == "mitigated"
    assert times(web, number)["mitigated"] == RESOLVED
    assert [one["at"] for one in timeline(web, number) if "resolved: " in one["says"]] == [RESOLVED] * 2
    for minute in range(10, 14):
        began = f"2026-11-21T04:{minute}:00Z"
        send(alerts, alert(starts_at=began))
        assert web.get(f"/cases/{number}").json()["status"] == "investigating"
        assert times(web, number)["mitigated"] is None
        send(alerts, alert("resolved", starts_at=began, endsAt=f"2026-11-21T04:{minute}:30Z"))
    assert web.get(f"/cases/{number}").json()["status"] == "mitigated"
    assert times(web, number)["mitigated"] == "2026-11-21T04:13:30Z"
    with sessions() as session:
        kinds = session.scalars(select(Event.kind).where(Event.kind.like("alert.%")).order_by(Event.id)).all()
        assert session.scalar(select(func.count()).select_from(IncidentEvent)) == 2
    assert (
        kinds
        == ["alert.fired", "alert.resolved"] + ["alert.resolved"] + ["alert.fired", "alert.resolved"] * 4
    )


def test_an_alert_that_fires_after_its_case_was_closed_opens_another_one_linked_to_it(alerts, web):
    first = send(alerts, alert())["case_number"]
    web.patch(f"/cases/{first}", json={"status": "resolved"})
    late = send(alerts, alert("resolved"))
    assert (late["case_number"], late["is_opened"]) == (first, False)
    assert web.get(f"/cases/{first}").json()["status"] == "resolved"
    again = send(alerts, alert(starts_at="2026-11-22T03:00:00Z"))
    assert (again["is_opened"], again["previous_case_number"]) == (True, first)
    links = [one["links"] for one in timeline(web, again["case_number"]) if "before" in one["says"]]
    assert links == [[{"label": f"Case {first}", "url": f"/cases/{first}"}]]
    assert any(f"case {again['case_number']}" in one["says"] for one in timeline(web, first))
    web.delete(f"/cases/{again['case_number']}")
    assert send(alerts, alert(starts_at="2026-11-22T03:00:00Z"))["previous_case_number"] is None


def test_an_end_that_comes_before_its_firing_is_accepted_and_opens_no_case(alerts):
    early = send(alerts, alert("resolved"))
    assert (early["case_number"], early["firing"]) == (None, 0)
    assert "1 resolved before" in early["says"]
    delayed = send(alerts, alert())
    assert (delayed["case_number"], delayed["firing"]) == (None, 0)
    assert "do not count as firing" in delayed["says"]
    # A source that still sees it fire repeats it.
    assert send(alerts, alert())["is_opened"]


def test_ten_thousand_alerts_of_a_group_are_one_case_and_fifty_rows(alerts, web, sessions):
    many = [alert(instance=f"db{number}:9100") for number in range(10_000)]
    for _ in range(2):
        answer = send(alerts, *many)
    assert (answer["received"], answer["kept"], answer["firing"]) == (10_000, rows.MAX_KEPT, 10_000)
    assert "10,000 alerts, 50 shown" in answer["says"]
    number = answer["case_number"]
    assert any(one["says"] == "10,000 alerts, 50 shown" for one in timeline(web, number))
    over = [{**one, "status": "resolved", "endsAt": RESOLVED} for one in many]
    assert send(alerts, *over)["firing"] == 0
    assert web.get(f"/cases/{number}").json()["status"] == "mitigated"
    with sessions() as session:
        assert session.scalar(select(func.count()).select_from(Alert)) == rows.MAX_KEPT
        assert session.scalar(select(func.count()).select_from(AlertGroup)) == 1
        kinds = session.scalars(select(Event.kind).where(Event.kind.like("alert.%"))).all()
    assert sorted(kinds) == ["alert.fired", "alert.resolved"]


def test_groups_too_large_to_read_are_refused_with_what_to_do(alerts):
    huge = alert(annotations={"summary": "x" * (9 << 20)})
    refused = send(alerts, huge, expected=413)
    assert "max_alerts" in refused["detail"]
    truncated = send(alerts, alert(), truncatedAlerts=9_999)
    assert (truncated["received"], truncated["firing"]) == (10_000, 10_000)


def test_an_unknown_version_names_the_known_ones(alerts):
    refused = send(alerts, alert(), version="5", expected=422)
    assert "unknown version '5'" in refused["detail"]
    assert "'4'" in refused["detail"]
    elsewhere = send(alerts, alert(), version="1", expected=422)
    assert "POST /alerts/grafana" in elsewhere["detail"]


def test_a_grafana_notification_is_read_as_recorded_and_its_false_link_dropped(alerts, web):
    answer = alerts.post("/alerts/grafana", json=GRAFANA)
    assert answer.status_code == 200, answer.text
    case = web.get(f"/cases/{answer.json()['case_number']}").json()
    assert (case["title"], case["severity"]) == ("T1, CPU on db7, 2001:db8::7", "critical")
    fired = {one["host"]: one for one in timeline(web, case["number"]) if one["clock"] == "alerts"}
    assert [one["label"] for one in fired["db7"]["links"]] == [
        "Source",
        "Runbook",
        "Dashboard",
        "Panel",
        "Silence",
    ]
    assert fired["2001:db8::7"]["links"] == []
    assert fired["db7"]["at"] == "2026-11-21T10:50:05.161000Z"


def test_single_alerts_of_any_source_are_one_case_by_their_key(alerts, web):
    def post(**one):
        body = {
            "version": "1",
            "group_key": "load of db7",
            "alerts": [{"name": "Load", "host": "db7", **one}],
        }
        answer = alerts.post("/alerts/generic", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    number = post(severity="high", links={"Runbook": "https://r.example.com", "x": "file:///etc"})[
        "case_number"
    ]
    assert post()["case_number"] == number
    assert post(name="Disk")["kept"] == 2
    assert post(status="resolved")["firing"] == 1
    assert post(status="resolved", name="Disk")["firing"] == 0
    assert web.get(f"/cases/{number}").json()["severity"] == "high"
    [links] = {
        json.dumps(one["links"])
        for one in timeline(web, number)
        if one["says"].startswith("Alert fired: Load")
    }
    assert json.loads(links) == [{"label": "Runbook", "url": "https://r.example.com"}]
    many = [{"name": f"Load {count}"} for count in range(60)]
    more = {"version": "1", "group_key": "load of db7", "alerts": many}
    answer = alerts.post("/alerts/generic", json=more).json()
    assert (answer["received"], answer["kept"], answer["firing"]) == (62, rows.MAX_KEPT, 60)
    unknown = alerts.post(
        "/alerts/generic", json={"version": "1", "group_key": "k", "alerts": [{"nam": "x"}]}
    )
    assert unknown.status_code == 422


@pytest.mark.parametrize("scope", [Scope.WRITE, Scope.EVIDENCE, Scope.ADMIN])
def test_only_a_token_for_alerts_sends_them_and_it_reads_nothing(address, sessions, sender, alerts, scope):
    with client_of(address, sessions, sender, scope) as other:
        send(other, alert(), expected=403)
    number = send(alerts, alert())["case_number"]
    assert alerts.get(f"/cases/{number}").status_code == 403


def test_a_key_of_another_account_is_another_case(address, sessions, alerts):
    mine = send(alerts, alert())["case_number"]
    other = person(sessions, f"alertmanager {uuid4()}", Role.RESPONDER)
    with client_of(address, sessions, other) as theirs:
        assert send(theirs, alert())["case_number"] != mine


@pytest.mark.parametrize(
    "strange",
    [
        {"startsAt": "0001-01-01T00:00:00Z"},
        {"startsAt": None},
        {"startsAt": "9999-12-31T23:59:59+14:00"},
        {"labels": {}, "annotations": {"summary": "\u202eabc\x00\ud800"}},
        {"labels": {f"l{number}": "v" * 5000 for number in range(500)}},
        {"labels": {"alertname": " ", "instance": "http://["}},
    ],
)
def test_strange_values_are_bounded_and_never_lose_the_alert(alerts, web, strange):
    answer = send(alerts, {**alert(), **strange})
    [fired] = [one for one in timeline(web, answer["case_number"]) if one["kind"] == "alert"]
    assert abs(datetime.now(UTC) - datetime.fromisoformat(fired["at"])) < timedelta(days=400)
    assert len(fired["says"]) < 600


@pytest.mark.parametrize(
    ("sent", "host", "severity"),
    [
        ({"instance": "db7:9100"}, "db7", None),
        ({"instance": "db7.example.com"}, "db7.example.com", None),
        ({"instance": "https://shop.example.com:8443/health"}, "shop.example.com", None),
        ({"instance": "2001:db8::7"}, "2001:db8::7", None),
        ({"instance": "exporter:9100", "node": "db7"}, "db7", None),
        ({"severity": "Warning"}, "", "medium"),
        ({"priority": "P2", "severity": ""}, "", "high"),
        ({"severity": "purple"}, "", None),
    ],
)
def test_labels_name_the_host_without_a_port_and_the_severity(sent, host, severity):
    assert (labels.host_of(sent), labels.severity_of(sent)) == (host, severity)


def test_the_example_of_the_guide_is_accepted_as_it_is_written(alerts):
    page = (Path(__file__).parents[3] / "docs/alerts.md").read_text()
    example = json.loads(page.split(" -d '", 1)[1].split("'\n```", 1)[0])
    answer = alerts.post("/alerts/generic", json=example)
    assert (answer.status_code, answer.json()["is_opened"]) == (200, True)
