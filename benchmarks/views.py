"""Answers about large profiles: how long the server takes for each, and how many bytes it sends.

python -m benchmarks.views 100 500        # megabytes; inputs are recorded when they are not there

Time is from the question to the compressed answer: computed, written as JSON, packed with gzip as it is
sent. The last profile is the largest one grown: chains of its own functions are hung below random nodes until
it has 1.4 million, with as many samples as a gigabyte brings: its names are real, its breadth is not.
The result is written to benchmarks/VIEWS.md.
"""

from __future__ import annotations

import gzip
import json
import os
import platform
import statistics
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from backend.profiles.caching import GZIP_LEVEL
from benchmarks.record import INPUTS, MEGABYTE, make_input, recordings
from ingest.export import columns, difference, functions, times, whole
from ingest.model.selection import Selection
from ingest.native import parse_perf_script
from ingest.native.views import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ingest.model.profile import Profile

ROUNDS = 5
RESULTS = Path(__file__).with_name("VIEWS.md")
GROWN_NODES, GROWN_SAMPLES = 1_400_000, 957_000
CHUNK_BYTES = 1 << 20
TRIED = """
Compact rows are what a page asks for. Of 319.8 kB for 58,650 of them (500 MB, 2026-11-21) 141 were the
9,490 names, 71 the numbers of nodes, 61 frames, 24 own weights and 19 depths. Tried on the same rows: varints
of differences instead of JSON 289 kB, siblings as first seen instead of left-heavy 316 kB, gzip at level 9
302 kB, Brotli at level 9 262 kB in 0.25 s and at level 11 236 kB in 5.8 s. What is left are names, and the
numbers that citations and links need: they would cost nothing if nodes were numbered depth first, for which
all evidence would have to be read anew.
"""


def read(path: Path) -> Profile:
    """Return the profile with most samples of a perf script."""

    def chunks() -> Iterator[bytes]:
        with path.open("rb") as text:
            while chunk := text.read(CHUNK_BYTES):
                yield chunk

    return max(parse_perf_script(chunks()).profiles, key=lambda one: one.samples)


def grown(profile: Profile) -> Profile:
    """Return a profile of the same functions with as many nodes and samples as a gigabyte brings."""
    chance = np.random.default_rng(1)
    parents, frames = profile.node_parent.tolist(), profile.node_frame.tolist()
    ends = []
    while len(parents) < GROWN_NODES:
        at = int(chance.integers(len(parents)))
        for _ in range(int(chance.integers(3, 9))):
            parents.append(at)
            frames.append(int(chance.integers(len(profile.frames))))
            at = len(parents) - 1
        ends.append(at)
    nodes = np.resize(profile.sample_node, GROWN_SAMPLES)
    nodes[chance.permutation(GROWN_SAMPLES)[: len(ends)]] = ends
    source = np.resize(np.arange(len(profile.sample_node)), GROWN_SAMPLES)
    stated, cpus = profile.sample_time, profile.sample_cpu
    return replace(
        profile,
        node_parent=np.array(parents, dtype=np.int32),
        node_frame=np.array(frames, dtype=np.int32),
        node_line=np.ones(len(parents), dtype=np.int32),
        sample_node=nodes,
        sample_weight=profile.sample_weight[source],
        sample_count=np.ones(GROWN_SAMPLES),
        sample_time=None if stated is None else np.sort(stated[source]),
        sample_cpu=None if cpus is None else cpus[source],
        sample_thread=profile.sample_thread[source],
        sample_line=np.ones(GROWN_SAMPLES, dtype=np.int32),
    )


def questions(profile: Profile) -> dict[str, Callable[[], dict[str, Any]]]:
    """Return what a page asks, by name; the view is at hand unless the name says it is new."""
    view = View(profile)
    one_cpu = View(profile, Selection(cpus=(0,)))
    half = len(profile.sample_node) // 2
    heaviest = columns.graph(view)["node"][1]
    name = functions.table(view, sort="total", query="/sys/", limit=1)["items"][0]["name"]

    def halves() -> dict[str, Any]:
        before = View(profile, Selection(to_sample=half))
        return difference.difference(before, View(profile, Selection(from_sample=half)))

    def fresh(selection: Selection) -> Callable[[], dict[str, Any]]:
        return lambda: columns.graph(View(profile, selection))

    return {
        "graph, at least 0.1 %": lambda: columns.graph(view),
        "graph, at least 0.01 %": lambda: columns.graph(view, min_share=0.0001),
        "graph, all rows (at most 200,000)": lambda: columns.graph(view, min_share=0),
        "graph, all rows, compact": lambda: columns.compact(columns.graph(view, min_share=0)),
        "subtree of the second row, at least 0.001 %": lambda: columns.graph(
            view, min_share=0.00001, root=heaviest
        ),
        "graph inverted, at least 0.1 %": lambda: columns.graph(view, is_inverted=True),
        "graph of one CPU in chronological order": lambda: columns.graph(
            one_cpu, order="chronological", min_share=0
        ),
        "functions, first 100": lambda: functions.table(view),
        "functions found by /lock/": lambda: functions.table(view, query="/lock/"),
        f"sandwich of {name}": lambda: functions.sandwich(view, name) or {},
        "heat map": lambda: times.heat(view),
        "lanes of CPUs": lambda: times.lanes(view),
        "lanes of threads": lambda: times.lanes(view, by="thread"),
        "whole": lambda: whole.whole(profile, ()),
        "new view: everything, 0.1 %": fresh(Selection()),
        "new view: four seconds, 0.1 %": fresh(Selection(t0=1, t1=5)),
        "new view: focus, merge, collapse, 0.1 %": fresh(
            Selection(focus=("/sys/",), merge=("/^asm_/",), collapse_recursion=True)
        ),
        "new views: difference of two halves, 0.1 %": halves,
    }


def measured(ask: Callable[[], dict[str, Any]]) -> str:
    """Return the cells of one question: milliseconds, rows, bytes."""
    spent, packed, rows = [], b"", 0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        document = ask()
        text = json.dumps(document, separators=(",", ":")).encode()
        packed = gzip.compress(text, GZIP_LEVEL, mtime=0)
        spent.append(1000 * (time.perf_counter() - began))
        rows = max((len(column) for column in document.values() if isinstance(column, list)), default=0)
    low, high = min(spent), max(spent)
    return f"{statistics.median(spent):.0f} ({low:.0f}-{high:.0f}) | {rows:,} | {len(packed) / 1000:,.1f}"


def table(title: str, profile: Profile) -> Iterator[str]:
    """Yield the lines of one profile's table."""
    sizes = (
        f"{len(profile.sample_node):,} samples, {len(profile.node_parent):,} nodes, "
        f"{len(profile.frames):,} functions, {len(profile.threads):,} threads."
    )
    yield from (f"## {title}", "", sizes, "")
    yield "| question | ms, median (min-max) | rows | kB packed |"
    yield "| --- | --- | --- | --- |"
    for name, ask in questions(profile).items():
        yield f"| {name} | {measured(ask)} |"
    yield ""


def main(sizes: list[int]) -> None:
    """Measure all and write the result."""
    machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Linux {platform.release()}"
    lines = [
        "# Views",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {machine}, load {os.getloadavg()[0]:.1f} at the start.",
        f"{ROUNDS} rounds in one process, from the question to the packed answer. The first row of each",
        "table is what a page shows first.",
        "",
    ]
    profile = None
    for size in sizes:
        path = INPUTS / f"perf-{size}MB.txt"
        profile = read(path if path.is_file() else make_input(size * MEGABYTE, recordings()))
        lines += table(f"{size} MB", profile)
    if profile is not None:
        lines += table("Grown", grown(profile))
    RESULTS.write_text("\n".join(lines).rstrip() + "\n" + TRIED)
    sys.stdout.write(RESULTS.read_text())


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [100])
