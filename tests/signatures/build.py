"""Builders of readings for tests of single predicates and rules."""

from __future__ import annotations

import numpy as np
import yaml

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import ROOT, Frame, Profile, Thread
from ingest.model.reading import LogRecord, Reading, RowSet
from signatures.document.condition_parser import test_of
from signatures.judging.fact_index import facts_of
from signatures.judging.observe import observe_facts, observe_reading
from signatures.judging.scope import Item


def kind_of(name: str) -> str:
    return "user" if name.startswith("u_") else "kernel"


def profile(rows, *, has_weights=True, ordered=True, cpus=None, times=None, what="cpu"):
    """rows: (stack from root to leaf as `a;b;c`, samples, comm, pid); user frames begin with `u_`."""
    frames: dict[str, int] = {}
    nodes: dict[tuple[int, int], int] = {}
    parents, of_frame = [], []
    sample_node, weights, thread_of, threads = [], [], [], {}
    for row in rows:
        stack, count, comm, pid = (*row, *("app", 1)[len(row) - 2 :]) if len(row) < 4 else row
        node = ROOT
        for name in stack.split(";"):
            at = frames.setdefault(name, len(frames))
            if (node, at) not in nodes:
                nodes[node, at] = len(parents)
                parents.append(node)
                of_frame.append(at)
            node = nodes[node, at]
        sample_node.append(node)
        weights.append(float(count))
        thread_of.append(threads.setdefault(Thread(comm, pid, pid), len(threads)))
    size = len(sample_node)
    return Profile(
        event="cpu-clock",
        unit="samples",
        frames=tuple(Frame(name, "", kind_of(name)) for name in frames),
        node_parent=np.array(parents, np.int32),
        node_frame=np.array(of_frame, np.int32),
        node_line=np.arange(1, len(parents) + 1, dtype=np.int32),
        sample_node=np.array(sample_node, np.int32),
        sample_weight=np.array(weights),
        sample_count=np.array(weights),
        sample_time=None if times is None else np.array(times),
        sample_cpu=None if cpus is None else np.array(cpus, np.int32),
        sample_thread=np.array(thread_of, np.int32),
        sample_line=np.arange(1, size + 1, dtype=np.int32),
        threads=tuple(threads),
        is_ordered=ordered,
        has_weights=has_weights,
        what=what,
    )


def fact(name, value, /, line=1, snapshot=0, at=None, **labels):
    return Fact(name, value, Lines.at(line), labels=labels, snapshot=snapshot, at=at)


def rows(name, columns, *cells, duration=None):
    return RowSet.of_rows(
        name, tuple(columns.split()), tuple(cells), tuple(range(1, len(cells) + 1)), duration
    )


def log(kind, uptime=None, line=1, **fields):
    return LogRecord(kind, kind, Lines.at(line), fields, uptime)


def item(evidence, *, path="", host="", boot="", phase="during", **parts):
    reading = Reading(**{name: tuple(values) for name, values in parts.items()})
    return Item(evidence, path, host, boot, phase, 0, "test", reading, 1, 1)


def ask(test, **parts):
    """Observe a test, a mapping or its YAML, on a reading with these parts."""
    document = yaml.safe_load(test) if isinstance(test, str) else test
    reading = Reading(**{name: tuple(value) for name, value in parts.items()})
    return observe_reading(test_of("f", "c", document), reading)


def ask_facts(test, *facts):
    """Observe a test, as YAML, on the facts of one piece of evidence."""
    found = observe_facts(test_of("f", "c", yaml.safe_load(test)), facts_of([item("e", facts=facts)]))
    return [observation.match_result for observation in found]
