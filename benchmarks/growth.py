"""Time and memory by input size, doubling each step, with a plot."""

from __future__ import annotations

import statistics
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.plot import Line, plot
from benchmarks.programs import in_turn, inside, wall
from benchmarks.record import MEGABYTE, make_input
from benchmarks.results import Goal, Section

if TYPE_CHECKING:
    from benchmarks.programs import Run

SIZES = (62, 125, 250, 500, 1000)
ROUNDS = 3
PLOT = Path(__file__).with_name("growth.svg")
NODE_BYTES = 200
FREE_MB = 96


class Point(NamedTuple):
    """One size."""

    size: int
    runs: list[Run]

    @property
    def nodes(self) -> int:
        """Nodes of all trees."""
        return int(self.runs[0].output[0])

    @property
    def samples(self) -> int:
        """Samples of all events."""
        return int(self.runs[0].output[1])

    @property
    def memory(self) -> float:
        """The most memory of the process but that of mapped files, in MB, the start of Python included."""
        return max(run.anonymous for run in self.runs)

    @property
    def allowed(self) -> float:
        """Memory goal, in MB."""
        return FREE_MB + NODE_BYTES * self.nodes / MEGABYTE


def measure(parts: list[Path]) -> Section:
    """Measure all sizes and write the plot."""
    program = inside("tree, 2 threads", "tree", 2)
    points = []
    for size in SIZES:
        text = make_input(size * MEGABYTE, parts)
        (runs,) = in_turn([program], text, ROUNDS).values()
        points.append(Point(size, runs))
    PLOT.write_text(
        plot(
            "Reading perf script with two threads",
            "MB of text",
            [
                Line("seconds", [(point.size, wall(point.runs)) for point in points]),
                Line("MB of memory", [(point.size, point.memory) for point in points]),
            ],
        )
    )
    lines = [
        "| MB | wall s | times the one before | nodes | samples | anonymous memory MB | allowed by goal 5 |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for at, point in enumerate(points):
        factor = f"{wall(point.runs) / wall(points[at - 1].runs):.2f}" if at else ""
        lines.append(
            f"| {point.size} | {wall(point.runs):.2f} | {factor} | {point.nodes:,} | {point.samples:,} "
            f"| {point.memory:,.0f} | {point.allowed:,.0f} |"
        )
    lines += ["", f"![time and memory against size]({PLOT.name})"]
    factors = [wall(b.runs) / wall(a.runs) for a, b in pairwise(points)]
    worst = points[-1]
    per_sample = (worst.memory - points[0].memory) * MEGABYTE / (worst.samples - points[0].samples)
    return Section(
        "Growth",
        lines,
        [
            Goal(
                "5",
                f"anonymous memory of {worst.size} MB",
                f"{worst.allowed:,.0f} MB",
                f"{worst.memory:,.0f} MB, {per_sample:.0f} bytes per sample",
                worst.memory <= worst.allowed,
                "sample columns stay in memory, not on disk",
            ),
            Goal(
                "15",
                "twice the input",
                "2.1 times the time",
                f"{statistics.median(factors):.2f} times (worst {max(factors):.2f})",
                statistics.median(factors) <= 2.1,
            ),
        ],
    )
