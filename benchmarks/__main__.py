"""Run all benchmarks and write RESULTS.md: `python -m benchmarks`; needs root, perf and inferno in var/bench.

A part by its name measures that alone and prints it: `python -m benchmarks growth`.
"""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import compressed, growth, judging, oddities, own, parse
from benchmarks.programs import ROUNDS
from benchmarks.record import recordings
from benchmarks.results import Section, goal_table

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).with_name("RESULTS.md")
PARTS: dict[str, Callable[[list[Path]], Section]] = {
    "100": partial(parse.measure, 100),
    "500": partial(parse.measure, 500),
    "1000": partial(parse.measure, 1000),
    "growth": growth.measure,
    "compressed": compressed.measure,
    "oddities": oddities.measure,
    "judging": judging.measure,
    "own": own.measure,
}


def main(names: list[str]) -> None:
    """Run the benchmarks in `names`, or all."""
    loads = [os.getloadavg()[0]]
    inputs = recordings()
    sections = [PARTS[name](inputs) for name in names or PARTS]
    loads.append(os.getloadavg()[0])
    lines = [
        "# Results",
        "",
        *_conditions(loads),
        "",
        "A tree is all that judge and flame graph need: nodes, and thread, CPU, time and line of every",
        "sample. Seconds of trees and folded text are counted inside the process, from the first byte to",
        "the result; those of a command from its start to its end. Whole commands beside whole commands",
        "stand in [COMMANDS.md](COMMANDS.md).",
        "",
        *goal_table([goal for section in sections for goal in section.goals]),
        "",
        *parse.peerless(),
        "",
    ]
    for section in sections:
        lines += [f"## {section.title}", "", *section.lines, ""]
    text = "\n".join(lines)
    sys.stdout.write(text)
    if not names:
        RESULTS.write_text(text)


def _conditions(loads: list[float]) -> list[str]:
    """Return date, machine and load of the measurement."""
    machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Linux {platform.release()}"
    return [
        f"{datetime.now(tz=UTC):%Y-%m-%d}, {machine}, Python {platform.python_version()}, inferno 0.12.8.",
        f"The load was {loads[0]:.1f} at the start and {loads[1]:.1f} at the end. Programs run in turn over",
        f"the same file, {ROUNDS} rounds unless stated otherwise; medians.",
    ]


if __name__ == "__main__":
    main(sys.argv[1:])
