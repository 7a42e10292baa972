"""Judging large profiles: `python -m benchmarks.judging` writes JUDGING.md.

A recording of the library is laid side by side with itself until it is large, so that its pathology, its
processes and its depth of stacks stay as recorded. `python -m benchmarks judging` judges a recording of
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

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULTS = Path(__file__).with_name("JUDGING.md")
RECORDINGS = {
    "reclaim of a cgroup at its limit": "mm/memcg-limit-reclaim/evidence/pos-cgroup-v1-refaults",
    "reads of memory.stat": "mm/memcg-stat-show-stall/evidence/neg-rstat-kernel",
    "a database that is well": "mm/memcg-limit-reclaim/evidence/neg-healthy-database",
}
GOAL_SECONDS = 0.3
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
        walls, cpus = _times(catalog, profile)
        reached = statistics.median(walls)
        spread = f"{reached:.2f} ({min(walls):.2f}-{max(walls):.2f})"
        lines.append(f"| {len(catalog.signatures)} | {spread} | {statistics.median(cpus):.2f} |")
    lines += ["", f"A profile of {NODES:,} nodes and {SAMPLES:,} samples, without cached observations."]
    goal = Goal("12", f"{SIGNATURES} signatures", "300 ms", f"{reached * 1000:.0f} ms", reached <= 0.3)
    return Section("Judging", lines, [goal])


def main() -> None:
    """Judge each recording with the whole library, and write the table."""
    catalog = load_catalog()
    rows = [_measured(name, LIBRARY / folder, catalog) for name, folder in RECORDINGS.items()]
    RESULTS.write_text("\n".join(_lines(rows, len(catalog.signatures))) + "\n", encoding="utf-8")


class _Row(NamedTuple):
    name: str
    frames: int
    processes: int
    walls: list[float]
    cpus: list[float]


def profile_of(folder: Path) -> Profile:
    """Return the recording of a folder of evidence, made large."""
    (recording,) = folder.glob("perf.script*.gz")
    with tempfile.TemporaryDirectory() as directory:
        text = Path(directory) / "perf.txt"
        text.write_bytes(gzip.decompress(recording.read_bytes()))
        return large(text)


def _measured(name: str, folder: Path, catalog: Catalog) -> _Row:
    profile = profile_of(folder)
    walls, cpus = _times(catalog, profile)
    return _Row(name, len(profile.frames), len({thread.pid for thread in profile.threads}), walls, cpus)


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
    yield f"Goal: {GOAL_SECONDS * 1000:.0f} ms of CPU time for 50 signatures; one thread judges."
    yield from (
        "",
        "| recording | functions | processes | wall ms, median (min-max) | CPU ms, median (min) | |",
    )
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for row in rows:
        wall, cpu = (
            [round(1000 * value) for value in (statistics.median(times), min(times), max(times))]
            for times in (row.walls, row.cpus)
        )
        verdict = "met" if cpu[0] <= GOAL_SECONDS * 1000 else "missed"
        yield (
            f"| {row.name} | {row.frames} | {row.processes} | {wall[0]} ({wall[1]}-{wall[2]}) "
            f"| {cpu[0]} ({cpu[1]}) | {verdict} |"
        )


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


def _times(catalog: Catalog, profile: Profile) -> tuple[list[float], list[float]]:
    item = Item("perf.txt", "", "", "", "during", 0, "perf-script", Reading(profiles=(profile,)), 1, 1)
    walls, cpus = [], []
    for _ in range(ROUNDS):
        wall, cpu = time.perf_counter(), time.process_time()
        judge([item], catalog)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return walls, cpus


if __name__ == "__main__":
    main()
