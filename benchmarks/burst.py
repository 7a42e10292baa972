"""Bursts, many clients and many listeners against a throw-away service: success rates and latencies.

python -m benchmarks.burst --label after                        measure this checkout
python -m benchmarks.burst --label before --checkout DIR        measure another one, with its own .venv
python -m benchmarks.burst --table benchmarks/BURST.md          write both as a table
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.http_load import Connection, HealthWatch, Listeners, Outcome, ask_once, ask_until

if TYPE_CHECKING:
    from collections.abc import Iterable

RESULTS = Path("var/bench/burst")
ROOT = Path(__file__).resolve().parents[1]
SIGN_IN = re.compile(r"(http://\S+)/sign-in\?token=")
CASE = "/api/v1/cases/1"
PATHS = ("/api/v1/cases", CASE, f"{CASE}/evidence", f"{CASE}/findings", f"{CASE}/jobs", "/api/v1/me")
RECOVERY_SECONDS = 60.0
SCOPES = ("--scope", "read", "--scope", "evidence", "--scope", "write", "--scope", "admin")
UNCOUNTED = {"CASEBOOK_REQUESTS_PER_MINUTE": "0", "CASEBOOK_STRANGERS_PER_MINUTE": "0"}


@dataclass(frozen=True, slots=True)
class Row:
    """Result of one scenario; times in milliseconds, None without responses."""

    scenario: str
    statuses: dict[str, int]
    per_second: float
    p50: float | None
    p95: float | None
    health_worst: float | None
    health_cpu_worst: float | None
    note: float | None
    recovery: float | None


class Service:
    """`casebook serve` of a checkout, on data that is deleted."""

    def __init__(self, checkout: Path, data_dir: str) -> None:
        """Start it and wait until it answers."""
        python = [str(checkout / ".venv/bin/casebook")]
        self._token = [*python, "token", "create", "--data-dir", data_dir, "--days", "1", *SCOPES, "--name"]
        self._checkout, self._data_dir = checkout, data_dir
        self._environment = {**os.environ, **UNCOUNTED}
        self._process = subprocess.Popen(
            [*python, "serve", "--with-parent", "--port", "0", "--data-dir", data_dir],
            cwd=checkout,
            env=self._environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for line in self._process.stdout or ():
            if found := SIGN_IN.search(line):
                self.url = found[1]
                return
        raise SystemExit(f"the service of {checkout} did not start")

    def create_token(self, name: str = "burst") -> str:
        """Return a bearer token of an unused name."""
        return subprocess.run(
            [*self._token, name],
            cwd=self._checkout,
            env=self._environment,
            text=True,
            check=True,
            capture_output=True,
        ).stdout.strip()

    def api_pids(self) -> list[int]:
        """Return the processes of the API."""
        state = json.loads((Path(self._data_dir) / "run/processes.json").read_text(encoding="utf-8"))
        return [row["pid"] for row in state["processes"] if row["name"].startswith("api")]

    def stop(self) -> None:
        """Stop it; one that does not end is killed."""
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate(timeout=120)


async def scenario(
    service: Service, name: str, *, clients: int, listeners: int, seconds: float, is_burst: bool = False
) -> Row:
    """Load the service, write a note meanwhile, and see how long it takes to be well again."""
    token = service.create_token()
    watch = HealthWatch(service.url, service.api_pids(), seconds=seconds)
    streams = Listeners(service.url, token, f"{CASE}/events", count=listeners)
    began = time.perf_counter()
    opening = asyncio.create_task(streams.open())
    if is_burst:
        asking = asyncio.create_task(ask_once(service.url, token, CASE, clients=clients))
    else:
        asking = asyncio.create_task(ask_until(service.url, token, PATHS, clients=clients, seconds=seconds))
    await asyncio.sleep(1)
    writer = Connection(service.url, token)
    note = await writer.ask("POST", "/api/v1/cases", b'{"title": "under load"}')
    outcome: Outcome = await asking
    took = time.perf_counter() - began
    await opening
    streams.close()
    recovery = await recovered(service.url, token)
    checks = watch.checks()
    statuses = {str(status): count for status, count in sorted(outcome.statuses.items())}
    statuses |= {f"stream {status}": count for status, count in sorted(streams.statuses.items())}
    times = sorted(outcome.seconds)
    return Row(
        scenario=name,
        statuses=statuses,
        per_second=outcome.statuses[200] / took,
        p50=_share(times, 0.50),
        p95=_share(times, 0.95),
        health_worst=_share(sorted(check.seconds for check in checks), 1.0),
        health_cpu_worst=_share(sorted(check.cpu_seconds for check in checks), 1.0),
        note=note.seconds * 1000 if note.status == 201 else None,
        recovery=recovery,
    )


async def recovered(url: str, token: str) -> float | None:
    """Return the milliseconds until an ordinary request is answered 200; None when it was not in a minute."""
    began = time.perf_counter()
    while time.perf_counter() - began < RECOVERY_SECONDS:
        connection = Connection(url, token)
        answer = await connection.ask("GET", CASE)
        connection.close()
        if answer.status == 200:
            return (time.perf_counter() - began) * 1000
    return None


def _share(times: list[float], share: float) -> float | None:
    return times[min(len(times) - 1, int(len(times) * share))] * 1000 if times else None


def table(labels: Iterable[str]) -> str:
    """Return the results as a Markdown table."""
    head = (
        "# Bursts\n\n"
        "Requests to a throw-away `casebook serve` with the sample cases, by `python -m benchmarks.burst`. "
        "A case page's requests in turn, each after the previous response; a burst sends one each. Times in "
        "ms; p50 and p95 of 200s. Health: the slowest of `/healthz` and `/api/v1/health` on new connections, "
        "and the processor time that the busiest API process used meanwhile. Recovery: from the end of the "
        "load to the first 200.\n"
    )
    parts = [head]
    for label in labels:
        path = RESULTS / f"{label}.json"
        if not path.is_file():
            continue
        measured = json.loads(path.read_text(encoding="utf-8"))
        parts.append(f"\n## {label.capitalize()}\n\n{measured['machine']}\n\n")
        parts.append("| scenario | answers (0: none in 60 s) | 200s a second | p50 | p95 | health worst | ")
        parts.append(
            "of it CPU | a note | recovery |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        )
        for values in measured["rows"]:
            row = Row(**values)
            answers = ", ".join(f"{status}: {count}" for status, count in row.statuses.items())
            times = (row.p50, row.p95, row.health_worst, row.health_cpu_worst, row.note, row.recovery)
            cells = " | ".join("–" if value is None else f"{value:,.0f}" for value in times)
            parts.append(f"| {row.scenario} | {answers} | {row.per_second:.0f} | {cells} |\n")
    return "".join(parts)


@click.command()
@click.option("--label", help="Name of what is measured, `before` or `after`.")
@click.option("--checkout", type=click.Path(path_type=Path), default=ROOT, help="What is measured.")
@click.option("--seconds", default=10.0, help="How long clients ask.")
@click.option("--table", "target", type=click.Path(path_type=Path), help="Write this file.")
def main(label: str | None, checkout: Path, seconds: float, target: Path | None) -> None:
    """Measure, or write the page."""
    if label:
        rows = []
        for name, clients, listeners, is_burst in (
            ("40 clients", 40, 0, False),
            ("60 clients", 60, 0, False),
            ("100 clients", 100, 0, False),
            ("300 clients", 300, 0, False),
            ("burst of 150", 150, 0, True),
            ("10 clients, 200 listeners", 10, 200, False),
            ("10 clients, 500 listeners", 10, 500, False),
            ("300 clients, 200 listeners", 300, 200, False),
        ):
            # Each has a service of its own: one that hangs must not be blamed for the next.
            with tempfile.TemporaryDirectory(prefix="casebook-") as directory:
                service = Service(checkout.absolute(), directory)
                try:
                    row = asyncio.run(
                        scenario(
                            service,
                            name,
                            clients=clients,
                            listeners=listeners,
                            seconds=seconds,
                            is_burst=is_burst,
                        )
                    )
                finally:
                    service.stop()
            rows.append(asdict(row))
            click.echo(json.dumps(rows[-1]))
        machine = f"{os.cpu_count()} cores, load average {os.getloadavg()[1]:.1f} while measuring."
        RESULTS.mkdir(parents=True, exist_ok=True)
        document = json.dumps({"machine": machine, "rows": rows}, indent=1)
        (RESULTS / f"{label}.json").write_text(document, encoding="utf-8")
    if target:
        target.write_text(table(("before", "after")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
