"""Judging a large profile against a hundred signatures with distinct conditions."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.inside import chunks
from benchmarks.record import MEGABYTE, make_input
from benchmarks.results import Goal, Section
from ingest.model.profile import ROOT, Profile
from ingest.model.reading import Reading
from ingest.native import parse_perf_script
from signatures.document.catalog import load_catalog
from signatures.judging.judge import judge
from signatures.judging.predicates.sequence import SequenceCondition
from signatures.judging.predicates.stack import StackCondition
from signatures.judging.scope import Item
from signatures.language.model import Catalog

if TYPE_CHECKING:
    from pathlib import Path

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
