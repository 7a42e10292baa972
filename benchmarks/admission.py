"""Readers beside a flood of uploads: what each is answered, and how fast.

    python -m benchmarks.admission --label after                      measure this checkout
    python -m benchmarks.admission --label before --checkout DIR      measure another one, with its own .venv
    python -m benchmarks.admission --table benchmarks/ADMISSION.md    write both as a table

200 people look at a case, one request each 5 s; 20 programs paste 20 KB of a recorded perf script, no two
alike, without a pause. A refused paste waits as `Retry-After` says.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

import click

from benchmarks.burst import PATHS, ROOT, Service
from benchmarks.http_load import Connection, ask_until

RESULTS = Path("var/bench/admission")
CAPTURE = ROOT / "tests/data/perf-script/memcg-reclaim.default.txt"
PASTE_BYTES = 20_000
READERS, THINK_SECONDS = 200, 5.0
UPLOADERS = 20
DRAIN_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Row:
    """Result of one scenario; times in milliseconds, ages in seconds."""

    scenario: str
    readers: dict[str, int]
    reader_p50: float | None
    reader_p95: float | None
    uploaders: dict[str, int]
    uploader_p50: float | None
    oldest_seconds: float
    drain_seconds: float


async def scenario(service: Service, name: str, *, uploaders: int, seconds: float) -> Row:
    """Load the service; measure the answers of readers and uploaders, and how long the queue then lasts."""
    reading, sending = service.create_token("readers"), service.create_token("uploaders")
    sent: Counter[int] = Counter()
    times: list[float] = []
    numbers = count()
    text = CAPTURE.read_text(encoding="utf-8")[:PASTE_BYTES]
    deadline = time.perf_counter() + seconds

    async def upload() -> None:
        connection = Connection(service.url, sending)
        while time.perf_counter() < deadline:
            body = json.dumps({"text": text.replace("clickhouse", f"server{next(numbers)}")}).encode()
            answer = await connection.ask("POST", "/api/v1/paste", body)
            sent[answer.status] += 1
            if answer.status < 300:
                times.append(answer.seconds)
            else:
                await asyncio.sleep(float(answer.headers.get("retry-after", 1)))
        connection.close()

    readers = ask_until(
        service.url, reading, PATHS, clients=READERS, seconds=seconds, think_seconds=THINK_SECONDS
    )
    load = [upload() for _ in range(uploaders)]
    ages = asyncio.create_task(_oldest(service.url, reading, deadline))
    outcome, _ = await asyncio.gather(readers, asyncio.gather(*load))
    began = time.perf_counter()
    await _drained(service.url, reading)
    read = sorted(outcome.seconds)
    return Row(
        scenario=name,
        readers={str(status): number for status, number in sorted(outcome.statuses.items())},
        reader_p50=_share(read, 0.5),
        reader_p95=_share(read, 0.95),
        uploaders={str(status): number for status, number in sorted(sent.items())},
        uploader_p50=_share(sorted(times), 0.5),
        oldest_seconds=await ages,
        drain_seconds=time.perf_counter() - began,
    )


async def _oldest(url: str, token: str, deadline: float) -> float:
    """Return the largest age of the oldest job of the light queue until `deadline`."""
    connection = Connection(url, token)
    worst = 0.0
    while time.perf_counter() < deadline:
        worst = max(worst, (await _light(connection))[1])
        await asyncio.sleep(1)
    connection.close()
    return worst


async def _drained(url: str, token: str) -> None:
    """Return when no job waits in the light queue."""
    connection = Connection(url, token)
    deadline = time.perf_counter() + DRAIN_SECONDS
    while time.perf_counter() < deadline and (await _light(connection))[0] > 0:  # noqa: ASYNC110 - of another
        await asyncio.sleep(0.5)
    connection.close()


async def _light(connection: Connection) -> tuple[int, float]:
    """Return the number of waiting light jobs and the seconds that the oldest waits."""
    answer = await connection.ask("GET", "/api/v1/status")
    if answer.status != 200:
        return 1, 0.0
    rows = json.loads(answer.body)["queues"]
    light = next((row for row in rows if row["name"] == "light"), None)
    return (light["queued"] + light["running"], light["oldest_seconds"] or 0.0) if light else (0, 0.0)


def _share(times: list[float], share: float) -> float | None:
    return times[min(len(times) - 1, int(len(times) * share))] * 1000 if times else None


def table(labels: tuple[str, ...]) -> str:
    """Return the results as a Markdown table."""
    head = (
        "# Readers beside a flood of uploads\n\n"
        f"{READERS} readers, one request each {THINK_SECONDS:g} s after the last answer, beside programs "
        "that paste 20 KB without a pause, at a throw-away `casebook serve`, by `make bench-admission`. "
        "Times in ms, of answers 200 to 202. Age: the longest wait of the oldest job of the light queue. "
        "Drain: from the end of the load until no job waits.\n"
    )
    parts = [head]
    for label in labels:
        path = RESULTS / f"{label}.json"
        if not path.is_file():
            continue
        measured = json.loads(path.read_text(encoding="utf-8"))
        parts.append(f"\n## {label.capitalize()}\n\n{measured['machine']}\n\n")
        parts.append("| scenario | readers | p50 | p95 | uploaders | p50 | age, s | drain, s |\n")
        parts.append("| --- | --- | ---: | ---: | --- | ---: | ---: | ---: |\n")
        for values in measured["rows"]:
            row = Row(**values)
            cells = [
                row.scenario,
                _answers(row.readers),
                _number(row.reader_p50),
                _number(row.reader_p95),
                _answers(row.uploaders),
                _number(row.uploader_p50),
                _number(row.oldest_seconds),
                _number(row.drain_seconds),
            ]
            parts.append(f"| {' | '.join(cells)} |\n")
    return "".join(parts)


def _answers(statuses: dict[str, int]) -> str:
    return ", ".join(f"{status}: {number:,}" for status, number in statuses.items()) or "–"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


@click.command()
@click.option("--label", help="Name of what is measured, `before` or `after`.")
@click.option("--checkout", type=click.Path(path_type=Path), default=ROOT, help="What is measured.")
@click.option("--seconds", default=25.0, help="How long clients ask.")
@click.option("--table", "target", type=click.Path(path_type=Path), help="Write this file.")
def main(label: str | None, checkout: Path, seconds: float, target: Path | None) -> None:
    """Measure, or write the page."""
    if label:
        rows = []
        for name, uploaders in (("200 readers", 0), ("200 readers, 20 uploaders", UPLOADERS)):
            with tempfile.TemporaryDirectory(prefix="casebook-") as directory:
                service = Service(checkout.absolute(), directory)
                try:
                    row = asyncio.run(scenario(service, name, uploaders=uploaders, seconds=seconds))
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
