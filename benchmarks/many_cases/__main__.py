"""Measure with each number of cases given and write benchmarks/SCALE.md."""

from __future__ import annotations

import os
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy.orm import sessionmaker

from backend.core import migrate
from backend.core.database import create_engine, watch
from backend.core.settings import Settings
from backend.core.storage import Store
from backend.core.supervisor.house import House
from benchmarks.many_cases.measure import NoBroker, costs
from benchmarks.many_cases.multiply import multiply
from benchmarks.many_cases.seeds import plant

if TYPE_CHECKING:
    from benchmarks.many_cases.measure import Cost

RESULTS = Path(__file__).parents[1] / "SCALE.md"
BEFORE = Path(__file__).with_name("before.md")
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_wal_size": "4GB"}
HEAD = """# What requests cost as cases grow

`make bench-growth-cases` writes this. Cases are real captures read by the service and multiplied with other
titles, hosts, owners, teams, visibilities, facts and weights of functions. API: CPU milliseconds of the
process, its client included, the median of five. PostgreSQL: milliseconds of planning and executing all
queries of the request (EXPLAIN ANALYZE), the median of three; pages of 8 kB that the queries read.
"""


def measured(count: int) -> tuple[list[Cost], float]:
    """Return what each request costs with `count` cases, and how many seconds it took to make them."""
    with TemporaryDirectory(prefix="casebook-") as place:
        settings = Settings(
            data_dir=Path(place), requests_per_minute=0, sends_per_minute=0, strangers_per_minute=0
        )
        with House(settings, say=lambda _: None, postgres_options=FAST) as house:
            house.open_servers()
            migrate.upgrade(settings)
            engine = create_engine(settings)
            sessions = sessionmaker(engine, info={"sender": NoBroker()})
            watch(sessions)
            began = time.monotonic()
            plant(sessions, Store.open(settings))
            multiply(engine, count)
            taken = time.monotonic() - began
            engine.dispose()
            return list(costs(settings)), taken


def table(found: dict[int, list[Cost]]) -> str:
    """Return the table of all requests, one row each."""
    counts = list(found)
    heads = [f"{count:,}: API ms | PostgreSQL ms | pages" for count in counts]
    lines = [
        f"| who | request | {' | '.join(heads)} | reads whole | slowest plan at {counts[-1]:,} |",
        "| --- | --- |" + " ---: |" * 3 * len(counts) + " --- | --- |",
    ]
    rows = {count: {(cost.who, cost.name): cost for cost in costs_} for count, costs_ in found.items()}
    for key, last in rows[counts[-1]].items():
        cells = [rows[count].get(key) for count in counts]
        told = " | ".join(
            f"{one.cpu_ms:.0f} | {one.database_ms:.1f} | {one.buffers}" if one else "– | – | –"
            for one in cells
        )
        name = last.name.replace("|", "\\|").removeprefix("GET ")
        scanned = ", ".join(last.scanned) or "–"
        lines.append(f"| {last.who} | `{name}` | {told} | {scanned} | {last.slowest} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, and write the page."""
    counts = [int(word) for word in sys.argv[1:]] or [1_000, 10_000, 100_000]
    found: dict[int, list[Cost]] = {}
    made = []
    for count in counts:
        found[count], taken = measured(count)
        made.append(f"{count:,} cases in {taken:.0f} s")
    day = datetime.now(UTC).date()
    machine = f"{day}, {os.cpu_count()} cores, Python {platform.python_version()}; made {', '.join(made)}.\n"
    before = BEFORE.read_text(encoding="utf-8") if BEFORE.exists() else ""
    RESULTS.write_text("\n".join([HEAD, machine, table(found), "", before]), encoding="utf-8")


if __name__ == "__main__":
    main()
