"""Cost of event listeners: `python -m benchmarks.listeners` writes LISTENERS.md.

Against a throw-away instance: N listeners open the event streams of 50 cases, with 10 tokens; then nothing
happens for a while, then 10 events a second are written for all the cases, then 10 a second for one case that
all listen to. Events are written to the table as a worker does, so that no request of the sender counts.
CPU is user and system time of all API processes from /proc, as a share of one core; the delay of an event is
the time from before its INSERT to the arrival of its last byte.

    python -m benchmarks.listeners --rows   # prints the table of another checkout
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import platform
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import psycopg

from cli.service.instance import Instance, throw_away

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).with_name("LISTENERS.md")
BEFORE = "## Before: every listener polls"
COUNTS = (0, 50, 200, 500)
CASES, TOKENS = 50, 10
SECONDS = 20.0
SETTLE_SECONDS = 5.0
OPEN_SECONDS = 60.0
EVENTS_A_SECOND = 10
GOAL_SHARE, GOAL_MILLISECONDS = 0.05, 200
UNCOUNTED = {f"CASEBOOK_{name}_PER_MINUTE": "0" for name in ("REQUESTS", "SENDS", "STRANGERS")}
TICKS = os.sysconf("SC_CLK_TCK")
WRITE = """
    insert into event (case_id, kind, actor, is_system, payload)
    values (%s, 'evidence.progress', 'bench', true, '{"share": 0.5, "name": "perf.script"}') returning id
"""


class Listeners:
    """Open event streams, and when each event arrived at each of them."""

    def __init__(self, url: str) -> None:
        """Listen to the instance at `url`."""
        self._address = urlsplit(url)
        self._tasks: list[asyncio.Task[None]] = []
        self._all_open = asyncio.Event()
        self.opened = 0
        self.arrived: list[tuple[int, float]] = []

    async def open(self, count: int, tokens: list[str], cases: list[str]) -> None:
        """Open `count` streams, and return when they are or patience is over."""
        for number in range(count):
            token, case = tokens[number // len(cases) % len(tokens)], cases[number % len(cases)]
            self._tasks.append(asyncio.create_task(self._listen(token, case, count)))
        if count:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._all_open.wait(), OPEN_SECONDS)

    async def close(self) -> None:
        """Leave."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self, token: str, case: str, count: int) -> None:
        reader, writer = await asyncio.open_connection(self._address.hostname, self._address.port)
        try:
            writer.write(
                f"GET /api/v1/cases/{case}/events HTTP/1.1\r\nHost: {self._address.netloc}\r\n"
                f"Authorization: Bearer {token}\r\n\r\n".encode()
            )
            while line := await reader.readline():
                if line.startswith(b": open"):
                    self.opened += 1
                    if self.opened == count:
                        self._all_open.set()
                elif line.startswith(b"id: "):
                    self.arrived.append((int(line[4:]), time.monotonic()))
        finally:
            writer.close()


def cpu_seconds(pids: list[int]) -> float:
    """Return the user and system time that processes have used."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


async def write_events(instance: Instance, cases: list[str], seconds: float) -> dict[int, float]:
    """Write events for `cases` in turn, and return when each was written."""
    written: dict[int, float] = {}
    conninfo = f"host={instance.data_dir / 'run'} user=casebook dbname=casebook"
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
        began = time.monotonic()
        number = 0
        while time.monotonic() - began < seconds:
            at = time.monotonic()
            cursor = await connection.execute(WRITE, [cases[number % len(cases)]])
            [(event_id,)] = await cursor.fetchall()
            written[event_id] = at
            number += 1
            await asyncio.sleep(max(0.0, began + number / EVENTS_A_SECOND - time.monotonic()))
    return written


def delays(written: dict[int, float], arrived: list[tuple[int, float]]) -> str:
    """Return median and p95 of the delays in milliseconds as cells."""
    taken = sorted((at - written[event_id]) * 1000 for event_id, at in arrived if event_id in written)
    if not taken:
        return "none arrived | |"
    return f"{taken[len(taken) // 2]:.0f} | {taken[int(len(taken) * 0.95)]:.0f} |"


async def measured(instance: Instance, count: int, tokens: list[str], cases: list[str]) -> str:
    """Return the row of the table for so many listeners."""
    pids = [pid for name, pid in instance.pids().items() if name.startswith("api")]

    async def share(work: float) -> float:
        began, used = time.monotonic(), cpu_seconds(pids)
        await asyncio.sleep(work)
        return (cpu_seconds(pids) - used) / (time.monotonic() - began)

    spread, together = Listeners(instance.url), Listeners(instance.url)
    try:
        await spread.open(count, tokens, cases)
        await asyncio.sleep(SETTLE_SECONDS)
        idle = await share(SECONDS)
        all_over, written = await asyncio.gather(share(SECONDS), write_events(instance, cases, SECONDS))
        await asyncio.sleep(1)
        cells = f"{idle:.1%} | {all_over:.1%} | {delays(written, spread.arrived)}"
    finally:
        await spread.close()
    try:
        await together.open(count, tokens, cases[:1])
        await asyncio.sleep(SETTLE_SECONDS)
        one, written = await asyncio.gather(share(SECONDS), write_events(instance, cases[:1], SECONDS))
        await asyncio.sleep(1)
        cells += f" {one:.1%} | {delays(written, together.arrived)}"
    finally:
        await together.close()
    return f"| {count} | {spread.opened} | {cells}"


def table(say: Callable[[str], None]) -> str:
    """Measure on a throw-away instance, and return the table."""
    head = "| listeners | opened in 60 s | idle | 10/s over 50 cases | p50 ms | p95 ms |"
    rows = [f"{head} 10/s, all on one case | p50 ms | p95 ms |", "| --- " * 9 + "|"]
    with throw_away(say=say, settings=UNCOUNTED) as instance:
        headers = {"Origin": instance.url}
        with httpx.Client(base_url=f"{instance.url}/api/v1", headers=headers, timeout=60) as owner:
            owner.post("/session", json={"token": instance.sign_in_token}).raise_for_status()
            tokens = [
                owner.post("/tokens", json={"name": f"bench {number}", "scopes": ["read"]}).json()["secret"]
                for number in range(TOKENS)
            ]
            cases = [owner.post("/cases", json={"title": f"case {n}"}).json()["id"] for n in range(CASES)]
        for count in COUNTS:
            rows.append(asyncio.run(measured(instance, count, tokens, cases)))
            say(rows[-1])
    return "\n".join(rows)


def main(say: Callable[[str], None]) -> None:
    """Measure and write."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rows", action="store_true", help="print the table and write nothing")
    if arguments.parse_args().rows:
        say(table(lambda _: None))
        return
    loads = [os.getloadavg()[0]]
    lines = table(say)
    loads.append(os.getloadavg()[0])
    history = RESULTS.read_text(encoding="utf-8").partition(BEFORE)[2] if RESULTS.exists() else ""
    RESULTS.write_text(
        f"""# What listeners of events cost

{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}.
Load {loads[0]:.1f} at the start, {loads[1]:.1f} at the end. Measured by `python -m benchmarks.listeners`:
CPU time of all API processes as a share of one core, and the delay from the INSERT of an event to its arrival
at a listener.
Wanted: at most {GOAL_SHARE:.0%} of a core for 500 listeners, at most {GOAL_MILLISECONDS} ms at p95.

{lines}

{BEFORE}{history}""",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(print)
