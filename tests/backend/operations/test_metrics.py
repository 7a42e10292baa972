"""`/metrics`: what the service does, by route and queue; the alert rules ask for what it has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from backend.operations.backup import last_backup

RULES = Path("docker/prometheus/casebook.rules.yaml")
DASHBOARD = Path("docker/grafana/casebook.json")
METRIC = re.compile(r"\bcasebook_\w+")
LATER = {
    "casebook_cases",
    "casebook_http_refused_total",
    "casebook_jobs_recent",
    "casebook_jobs_recent_longest_seconds",
    "casebook_last_backup_timestamp_seconds",
    "casebook_sandbox_complete",
}
"""Metrics without a value before there is a job, a refusal, a backup or a worker."""


@pytest.fixture
def scrape(web, browser, address):
    def samples() -> dict[tuple[str, ...], float]:
        answer = browser.get(
            f"{address}/metrics", headers={"Authorization": web.headers["Authorization"]}
        ).raise_for_status()
        return {
            (sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(answer.text)
            for sample in family.samples
        }

    return samples


def test_requests_are_counted_by_route_not_by_path(web, scrape):
    route = ("casebook_http_requests_total", "GET", "/cases/{case_id}", "200")
    numbers = [web.post("/cases", json={"title": title}).json()["number"] for title in ("one", "two")]
    before = scrape().get(route, 0)
    for number in numbers:
        web.get(f"/cases/{number}")
    after = scrape()
    assert after[route] - before == 2
    assert after["casebook_cases", "open"] == 2
    routes = {labels[1] for name, *labels in after if name == route[0]}
    assert not routes & {f"/cases/{number}" for number in numbers}


def test_a_queue_without_jobs_has_zeros(scrape):
    found = scrape()
    for queue in ("light", "heavy"):
        assert (
            found["casebook_queue_jobs", queue, "queued"]
            == found["casebook_queue_jobs", queue, "running"]
            == 0
        )
        assert found["casebook_queue_oldest_seconds", queue] == 0


def test_jobs_are_counted_by_queue_and_by_outcome(web, scrape):
    case = web.post("/paste", json={"text": "[    1.000000] Linux version 6.1.0\n"}).json()["case"]
    assert scrape()["casebook_queue_jobs", "light", "queued"] == 1
    web.post(f"/cases/{case['number']}/jobs/cancel", json={"work": "reading"}).raise_for_status()
    ended = {key[2]: value for key, value in scrape().items() if key[0] == "casebook_jobs_recent"}
    assert ended == {"cancelled": 1}


def test_they_need_a_token_that_may_read_the_service(browser, address):
    assert browser.get(f"{address}/metrics").status_code == 401


def test_the_alert_rules_ask_for_metrics_that_exist(scrape, web):
    web.get("/me")
    known = {name for name, *_ in scrape()} | LATER
    asked = {
        name
        for group in yaml.safe_load(RULES.read_text())["groups"]
        for rule in group["rules"]
        for name in METRIC.findall(rule["expr"])
    }
    assert len(asked) >= 6
    assert asked - known == set()


def test_the_dashboard_asks_for_metrics_that_exist_and_names_its_unit_and_source(scrape, app_settings):
    (app_settings.data_dir / last_backup.NAME).write_text('{"made_at": "2026-11-21T03:00:00+00:00"}')
    found = {name: value for (name, *_), value in scrape().items()}
    assert found["casebook_last_backup_timestamp_seconds"] == 1795230000
    panels = json.loads(DASHBOARD.read_text())["panels"]
    asked = {name for one in panels for target in one["targets"] for name in METRIC.findall(target["expr"])}
    assert asked - set(found) <= LATER
    assert {name for name in LATER if name not in asked} == set()
    assert all(one["fieldConfig"]["defaults"]["unit"] and one["targets"] for one in panels)
    places = [(one["gridPos"]["x"], one["gridPos"]["y"]) for one in panels]
    assert len(set(places)) == len(panels)
