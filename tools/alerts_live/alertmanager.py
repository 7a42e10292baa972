"""A real Alertmanager opens, extends, mitigates and reopens cases of a temporary instance.

    python -m tools.alerts_live.alertmanager PATH/alertmanager

The configuration is that of docs/alerts.md, with the address, the token file and shorter intervals.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import yaml

from cli.service.instance import throw_away
from tools.alerts_live.ports import free_port, say, until

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[2] / "docs/alerts.md"
INTERVALS = {"group_wait": "1s", "group_interval": "2s"}
GROUPED_SECONDS = 4
BOTH = 2
READY = 200


def configuration(url: str, token_file: Path) -> dict[str, Any]:
    """Return the configuration of the page for an instance at `url`."""
    text = re.search(r"^```yaml\n(route:.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    config: dict[str, Any] = yaml.safe_load(text[1] if text else "")
    config["route"] |= INTERVALS
    [receiver] = config["receivers"]
    [webhook] = receiver["webhook_configs"]
    webhook["url"] = webhook["url"].replace("https://casebook.example.com", url)
    webhook["http_config"]["authorization"]["credentials_file"] = str(token_file)
    return config


@contextmanager
def alertmanager(program: str, folder: Path, config: dict[str, Any]) -> Iterator[httpx.Client]:
    """Run Alertmanager with `config`, and yield a client of its API."""
    path = folder / "alertmanager.yml"
    path.write_text(yaml.safe_dump(config))
    address = f"127.0.0.1:{free_port()}"
    words = [program, f"--config.file={path}", f"--storage.path={folder / 'am'}"]
    words += [f"--web.listen-address={address}", "--cluster.listen-address="]
    with (folder / "alertmanager.log").open("wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log)
    try:
        with httpx.Client(base_url=f"http://{address}", timeout=10) as client:
            until(lambda: client.get("/-/ready").status_code == READY)
            yield client
    finally:
        process.terminate()
        process.wait(20)


def main(program: str) -> None:
    """Print the transcript."""
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    say((version.stdout or version.stderr).splitlines()[0])
    with throw_away(say=say) as instance, tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        token_file = folder / "casebook.token"
        token_file.write_text(instance.create_token("alertmanager", ["alerts"]))
        reader = {"Authorization": f"Bearer {instance.create_token('reader', ['read', 'write'])}"}
        with (
            httpx.Client(base_url=f"{instance.url}/api/v1", headers=reader, timeout=30) as casebook,
            alertmanager(program, folder, configuration(instance.url, token_file)) as manager,
        ):
            _play(casebook, manager)


def _play(casebook: httpx.Client, manager: httpx.Client) -> None:
    began = datetime.now(UTC)
    _post(manager, began)
    until(lambda: len(_cases(casebook)) == 1)
    [first] = _cases(casebook)
    number = first["number"]
    say(f"fired:               case {number}: {first['title']!r}, {first['severity']}, {first['status']}")
    _post(manager, began, ends_at=datetime.now(UTC))
    until(lambda: _cases(casebook)[0]["status"] == "mitigated")
    say(f"resolved:            case {number} is mitigated")
    _post(manager, datetime.now(UTC))
    until(lambda: _cases(casebook)[0]["status"] == "investigating")
    say(f"fired again:         case {number} is investigated again; {len(_cases(casebook))} case of alerts")
    casebook.patch(f"/cases/{number}", json={"status": "resolved"}).raise_for_status()
    _post(manager, datetime.now(UTC), ends_at=datetime.now(UTC))
    time.sleep(GROUPED_SECONDS)
    _post(manager, datetime.now(UTC))
    until(lambda: len(_cases(casebook)) == BOTH)
    second = max(one["number"] for one in _cases(casebook))
    say(f"fired after closing: case {second} was opened; {len(_cases(casebook))} cases of alerts")
    for case in (number, second):
        say(f"timeline of case {case}:")
        for entry in casebook.get(f"/cases/{case}/timeline").json()["items"]:
            links = " ".join(f"[{one['label']}]" for one in entry["links"])
            say(f"  {entry['at'][11:19]} {entry['clock']:8} {entry['says']} {links}".rstrip())


def _post(manager: httpx.Client, starts_at: datetime, *, ends_at: datetime | None = None) -> None:
    """Send the alert as Prometheus does: it repeats it, with an end in the near future while it fires."""
    alert = {
        "labels": {"alertname": "HighLoad", "instance": "db7:9100", "severity": "page"},
        "annotations": {
            "summary": "Load of 96 on 8 CPUs",
            "runbook_url": "https://runbooks.example.com/load",
        },
        "startsAt": starts_at.isoformat(),
        "endsAt": (ends_at or datetime.now(UTC) + timedelta(minutes=4)).isoformat(),
        "generatorURL": "http://prometheus.example.com/graph?g0.expr=node_load1",
    }
    sent = manager.post(
        "/api/v2/alerts", content=json.dumps([alert]), headers={"Content-Type": "application/json"}
    )
    sent.raise_for_status()


def _cases(casebook: httpx.Client) -> list[dict[str, Any]]:
    """Return the cases that alerts opened, oldest first."""
    listed = casebook.get("/cases", params={"sort": "created_at"}).json()["items"]
    return [one for one in listed if one["title"] == "HighLoad on db7"]


if __name__ == "__main__":
    main(sys.argv[1])
