"""Judging large profiles: `python -m benchmarks.judging` writes JUDGING.md.

A recording of the library is laid side by side with itself until it is large, so that its pathology, its
processes and its depth of stacks stay as recorded. The panels of the overview are made of it, too. `python -m
benchmarks judging` judges a recording of
mixed work, and a hundred signatures with distinct conditions, for RESULTS.md.
"""

from __future__ import annotations

import gzip
import os
import statistics
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.inside import chunks
from benchmarks.record import MEGABYTE, make_input
from benchmarks.results import Goal, Section
from ingest.model.profile import ROOT, Profile
from ingest.model.reading import Reading
from ingest.native import parse_perf_script
from signatures.document.catalog import load_catalog
from signatures.document.files import LIBRARY
from signatures.judging.judge import judge
from signatures.judging.predicates.sequence import SequenceCondition
from signatures.judging.predicates.stack import StackCondition
from signatures.judging.scope import Item
from signatures.language.model import Catalog
from signatures.overview import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RESULTS = Path(__file__).with_name("JUDGING.md")
RECORDINGS = {
    "reclaim of a cgroup at its limit": "mm/memcg-limit-reclaim/evidence/pos-cgroup-v1-refaults",
    "reads of memory.stat": "mm/memcg-stat-show-stall/evidence/neg-rstat-kernel",
    "a database that is well": "mm/memcg-limit-reclaim/evidence/neg-healthy-database",
}
GOAL_SECONDS = 0.3
PANELS_GOAL_SECONDS = 0.2
NODES = 1_400_000
SAMPLES = 957_000
SIGNATURES = 100
ROUNDS = 5
SEED = 1


def measure(parts: list[Path]) -> Section:
    """Measure judging, by the library as it is and by a hundred signatures."""
    profile = large(make_input(100 * MEGABYTE, parts))
    library = load_catalog()
    lines = ["| signatures | wall s, median (min-max) | CPU s |", "| --- | --- | --- |"]
    reached = 0.0
    for catalog in (library, a_hundred(library)):
        walls, cpus = _times(partial(_judged, catalog), profile)
        reached = statistics.median(walls)
        spread = f"{reached:.2f} ({min(walls):.2f}-{max(walls):.2f})"
        lines.append(f"| {len(catalog.signatures)} | {spread} | {statistics.median(cpus):.2f} |")
    walls, cpus = _times(lambda item: run([item]), profile)
    panels = statistics.median(cpus)
    spread = f"{statistics.median(walls):.2f} ({min(walls):.2f}-{max(walls):.2f})"
    lines.append(f"| panels of the overview | {spread} | {panels:.2f} |")
    lines += ["", f"A profile of {NODES:,} nodes and {SAMPLES:,} samples, without cached observations."]
    goal = Goal("12", f"{SIGNATURES} signatures", "300 ms", f"{reached * 1000:.0f} ms", reached <= 0.3)
    of_panels = Goal(
        "12", "panels", "200 ms of CPU time", f"{panels * 1000:.0f} ms", panels <= PANELS_GOAL_SECONDS
    )
    return Section("Judging", lines, [goal, of_panels])


def main() -> None:
    """Judge each recording with the whole library, and write the table."""
    catalog = load_catalog()
    rows = [_measured(name, LIBRARY / folder, catalog) for name, folder in RECORDINGS.items()]
    RESULTS.write_text("\n".join(_lines(rows, len(catalog.signatures))) + "\n", encoding="utf-8")


class _Row(NamedTuple):
    name: str
    frames: int
    processes: int
    judging: tuple[list[float], list[float]]
    panels: tuple[list[float], list[float]]


def profile_of(folder: Path) -> Profile:
    """Return the recording of a folder of evidence, made large."""
    (recording,) = folder.glob("perf.script*.gz")
    with tempfile.TemporaryDirectory() as directory:
        text = Path(directory) / "perf.txt"
        text.write_bytes(gzip.decompress(recording.read_bytes()))
        return large(text)


def _measured(name: str, folder: Path, catalog: Catalog) -> _Row:
    profile = profile_of(folder)
    judging = _times(partial(_judged, catalog), profile)
    panels = _times(lambda item: run([item]), profile)
    processes = len({thread.pid for thread in profile.threads})
    return _Row(name, len(profile.frames), processes, judging, panels)


def _lines(rows: list[_Row], signatures: int) -> Iterator[str]:
    yield from ("# Judging large profiles", "")
    yield (
        f"{datetime.now(tz=UTC):%Y-%m-%d}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}; "
        "written by `make bench-judging`."
    )
    yield (
        f"{signatures} signatures judge a profile of {NODES:,} nodes and {SAMPLES:,} samples, without cached "
        f"observations; {ROUNDS} rounds."
    )
    goal, of_panels = (round(1000 * seconds) for seconds in (GOAL_SECONDS, PANELS_GOAL_SECONDS))
    yield f"Goals: {goal} ms of CPU time for 50 signatures, {of_panels} ms for the panels; one thread works."
    yield from (
        "",
        "| recording | functions | processes | | wall ms, median (min-max) | CPU ms, median (min) | |",
    )
    yield "| --- | ---: | ---: | --- | ---: | ---: | --- |"
    for row in rows:
        about = f"{row.name} | {row.frames} | {row.processes}"
        yield f"| {about} | judging | {_cells(row.judging, GOAL_SECONDS)}"
        yield f"| | | | panels | {_cells(row.panels, PANELS_GOAL_SECONDS)}"


def _cells(times: tuple[list[float], list[float]], goal: float) -> str:
    wall, cpu = (
        [round(1000 * value) for value in (statistics.median(one), min(one), max(one))] for one in times
    )
    verdict = "met" if cpu[0] <= goal * 1000 else "missed"
    return f"{wall[0]} ({wall[1]}-{wall[2]}) | {cpu[0]} ({cpu[1]}) | {verdict} |"


def large(text: Path) -> Profile:
    """Return a recorded tree, side by side with itself until it is large; samples end anywhere in it."""
    base = parse_perf_script(chunks(text)).profiles[0]
    count = len(base.node_parent)
    offsets = np.arange(-(-NODES // count))[:, None] * count
    parents = np.where(base.node_parent == ROOT, ROOT, base.node_parent + offsets).ravel()[:NODES]
    frames = np.tile(base.node_frame, len(offsets))[:NODES]
    chance = np.random.default_rng(SEED)
    ones = np.ones(SAMPLES)
    return replace(
        base,
        unit="samples",
        node_parent=parents.astype(np.int32),
        node_frame=frames.astype(np.int32),
        node_line=np.ones(NODES, dtype=np.int32),
        sample_node=chance.integers(0, NODES, SAMPLES, dtype=np.int32),
        sample_weight=ones,
        sample_count=ones,
        sample_time=np.arange(SAMPLES) / 1000,
        sample_cpu=chance.integers(0, 8, SAMPLES, dtype=np.int32),
        sample_thread=chance.integers(0, len(base.threads), SAMPLES, dtype=np.int32),
        sample_line=np.arange(SAMPLES, dtype=np.int32),
    )


def a_hundred(library: Catalog) -> Catalog:
    """Return copies of the library with distinct functions."""
    copies = []
    for number in range(SIGNATURES):
        signature = library.signatures[number % len(library.signatures)]
        clauses = tuple(replace(clause, test=_renamed(clause.test, number)) for clause in signature.clauses)
        copies.append(replace(signature, id=f"{signature.id}-{number}", clauses=clauses))
    return Catalog(tuple(copies), ())


def _renamed(test: Any, number: int) -> Any:
    """Return a test with one more function, so that no cached result applies."""
    if hasattr(test, "tests"):
        return replace(test, tests=tuple(_renamed(inner, number) for inner in test.tests))
    if isinstance(test, StackCondition):
        own = (f"function_{number}",)
        return replace(
            test,
            path=tuple((*frames, *own) for frames in test.path),
            leaf=(*test.leaf, *own) if test.leaf else (),
        )
    if isinstance(test, SequenceCondition):
        return replace(
            test, first=replace(test.first, path=tuple((*f, f"f{number}") for f in test.first.path))
        )
    return test


def _judged(catalog: Catalog, item: Item) -> object:
    return judge([item], catalog)


def _times(work: Callable[[Item], object], profile: Profile) -> tuple[list[float], list[float]]:
    """Return wall and CPU seconds of every round of `work` on a new reading, so that nothing is cached."""
    walls, cpus = [], []
    for _ in range(ROUNDS):
        reading = Reading(profiles=(profile,))
        item = Item("perf.txt", "", "", "", "during", 0, "perf-script", reading, 1, 1)
        wall, cpu = time.perf_counter(), time.process_time()
        work(item)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return walls, cpus


if __name__ == "__main__":
    main()
