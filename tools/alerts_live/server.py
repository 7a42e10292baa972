"""A Prometheus that scrapes an instance, and what it answers."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import yaml

from tools.alerts_live.ports import free_port, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.service.instance import Instance

DASHBOARD = Path(__file__).parents[2] / "docker/grafana/casebook.json"
RULES = Path(__file__).parents[2] / "docker/prometheus/casebook.rules.yaml"
READY = 200


def configuration(instance: Instance, token: str, folder: Path) -> Path:
    """Write the configuration of Prometheus and the rules, with `for` of a second; return its path."""
    rules = yaml.safe_load(RULES.read_text("utf-8"))
    for group in rules["groups"]:
        for rule in group["rules"]:
            rule["for"] = "1s"
    (folder / "rules.yml").write_text(yaml.safe_dump(rules))
    scrape = {
        "job_name": "casebook",
        "authorization": {"credentials": token},
        "static_configs": [{"targets": [instance.url.removeprefix("http://")]}],
    }
    intervals = {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"}
    path = folder / "prometheus.yml"
    path.write_text(
        yaml.safe_dump({"global": intervals, "rule_files": ["rules.yml"], "scrape_configs": [scrape]})
    )
    return path


@contextmanager
def prometheus(program: str, config: Path) -> Iterator[httpx.Client]:
    """Run Prometheus, and yield a client of its API."""
    address = f"127.0.0.1:{free_port()}"
    words = [program, f"--config.file={config}", f"--storage.tsdb.path={config.parent / 'tsdb'}"]
    with (config.parent / "prometheus.log").open("wb") as log:
        process = subprocess.Popen([*words, f"--web.listen-address={address}"], stdout=log, stderr=log)
    try:
        with httpx.Client(base_url=f"http://{address}", timeout=10) as client:
            until(lambda: client.get("/-/ready").status_code == READY)
            yield client
    finally:
        process.terminate()
        process.wait(20)


def firing(server: httpx.Client) -> dict[str, str]:
    """Return the summaries of the alerts that fire, by name."""
    alerts = server.get("/api/v1/alerts").json()["data"]["alerts"]
    return {
        one["labels"]["alertname"]: one["annotations"]["summary"]
        for one in alerts
        if one["state"] == "firing"
    }


def series(server: httpx.Client, query: str) -> list[Any]:
    """Return the series that a query finds now."""
    answer = server.get("/api/v1/query", params={"query": query}).raise_for_status()
    result: list[Any] = answer.json()["data"]["result"]
    return result


def panels_without_data(server: httpx.Client) -> list[str]:
    """Ask every query of the dashboard, and return the titles of the panels where one finds nothing."""
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    queries = [
        (panel["title"], target["expr"].replace("$instance", ".*"))
        for panel in panels
        for target in panel["targets"]
    ]
    return sorted({title for title, query in queries if not series(server, query)})
