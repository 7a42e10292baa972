"""Samples of Prometheus: lines of its text form and answers of its queries, as facts that exist and as rows.

    node_memory_MemAvailable_bytes 2.31e+08  ->  meminfo.memavailable_bytes = 231000000
    {"metric": {"__name__": "node_load1"}, "values": [[1712000000, "0.4"], …]}  ->  looks at loadavg.1m

Which metric is which fact stands in `catalogue/prometheus.yaml`. Other metrics are rows of the general
engine of quantities: name, time and value. Samples of several instances are rows only: a fact is of one host.
"""

from __future__ import annotations

import datetime as dt
import math
from array import array
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest import catalogue
from ingest.engines.quantities.grid import SUBJECT, TABLE, TIME, VALUES
from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading, RowSet, SkipCounter
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MOST_SAMPLES = 200_000
INSTANCE = "instance"
CPU_TIME = "node_cpu_seconds_total"
NAME = "__name__"
UNNAMED = frozenset({NAME, "job", "endpoint", "service", "prometheus"})
"""Labels that say where a sample was scraped, not what it is of."""

BEYOND = "sample beyond those that are kept"
NO_NUMBER = "sample without a finite number"


class Sample(NamedTuple):
    """One value of a metric; `at` in seconds since the epoch, None without a time."""

    name: str
    labels: Mapping[str, str]
    value: float
    at: float | None
    line: int


class Metric(NamedTuple):
    """A row of the table; the attributes are its keys."""

    pattern: str
    fact: str
    unit: str
    labels: Mapping[str, Sequence[str]]
    keys: Sequence[str]
    is_summed: bool


@cache
def _metrics() -> tuple[Metric, ...]:
    rows: list[Any] = table(files(catalogue) / "prometheus.yaml")["metrics"]
    return tuple(
        Metric(
            row["metric"],
            row["fact"],
            row["unit"],
            row.get("labels", {}),
            tuple(row.get("keys", ())),
            bool(row.get("sum")),
        )
        for row in rows
    )


@lru_cache(maxsize=4096)
def metric_of(name: str) -> tuple[Metric, str] | None:
    """Return the row of a metric with what its `*` stands for; None where it is no fact."""
    for one in _metrics():
        if fnmatchcase(name, one.pattern):
            first, _, last = one.pattern.partition("*")
            return one, name[len(first) : len(name) - len(last)].lower()
    return None


def reading_of(samples: Iterator[Sample]) -> Reading:
    """Return facts and rows of samples; what is beyond the bounds is counted."""
    skips = SkipCounter()
    kept: list[Sample] = []
    for one in samples:
        if len(kept) >= MOST_SAMPLES:
            skips.add(BEYOND, one.line)
        elif not math.isfinite(one.value):
            skips.add(NO_NUMBER, one.line)
        else:
            kept.append(one)
    is_one_host = len({one.labels.get(INSTANCE) for one in kept}) < 2
    known = [one for one in kept if is_one_host and metric_of(one.name)]
    others = [one for one in kept if not (is_one_host and metric_of(one.name))]
    facts = (*_facts(known), *_spaces(known), *_cpus(known))
    return Reading(facts=facts, row_sets=tuple(_row_sets(others)), skipped=skips.result())


def _facts(samples: Sequence[Sample]) -> tuple[Fact, ...]:
    times = {at: place for place, at in enumerate(sorted({one.at for one in samples if one.at is not None}))}
    found: dict[tuple[str, tuple[tuple[str, str], ...], float | None], Fact] = {}
    for one in samples:
        row = metric_of(one.name)
        if row is None:
            continue
        metric, key = row
        printed = {name: one.labels.get(name, "").lower() for name in metric.keys}
        name = metric.fact.format(key=key, **printed)
        labels = {
            label: text
            for label, names in metric.labels.items()
            if (text := next((one.labels[name] for name in names if one.labels.get(name)), ""))
        }
        place = (name, tuple(sorted(labels.items())), one.at)
        before = found.get(place)
        value = one.value + float(before.value) if before is not None and metric.is_summed else one.value
        first = before.lines.first if before is not None else one.line
        snapshot = times.get(one.at, 0) if one.at is not None else 0
        found[place] = Fact(name, value, Lines(first, one.line), metric.unit, labels, snapshot, one.at)
    return tuple(found.values())


def _cpus(samples: Sequence[Sample]) -> Iterator[Fact]:
    """Yield how many CPUs there are, of which the idle time is counted."""
    idle = [one for one in samples if one.name == CPU_TIME and one.labels.get("mode") == "idle"]
    if idle:
        count = len({one.labels.get("cpu") for one in idle})
        yield Fact("cpu.online", float(count), Lines(idle[0].line, idle[-1].line), "count")


def _spaces(samples: Sequence[Sample]) -> Iterator[Fact]:
    """Yield how full file systems are, as `df` has it: of size and what is available."""
    facts = _facts([one for one in samples if one.name.startswith("node_filesystem_")])
    sizes = {
        (tuple(sorted(one.labels.items())), one.at): float(one.value)
        for one in facts
        if one.name == "filesystem.size_bytes"
    }
    for one in facts:
        size = sizes.get((tuple(sorted(one.labels.items())), one.at), 0.0)
        if one.name == "filesystem.available_bytes" and size > 0:
            share = min(1.0, max(0.0, 1 - float(one.value) / size))
            yield replace(one, name="filesystem.space_used_share", value=share, unit="share")


def _row_sets(samples: Sequence[Sample]) -> Iterator[RowSet]:
    """Yield samples without a time as keys and values, those with times as a table for each metric."""
    timed: dict[str, list[Sample]] = {}
    single: list[Sample] = []
    counts: dict[tuple[str, str], int] = {}
    for one in samples:
        key = (one.name, subject_of(one))
        counts[key] = counts.get(key, 0) + 1
    for one in samples:
        is_series = one.at is not None and counts[one.name, subject_of(one)] > 1
        (timed.setdefault(one.name, []) if is_series else single).append(one)
    if single:
        rows = [(subject_of(one) or None, one.name, one.value, None, None) for one in single]
        columns = (SUBJECT, "key", "value", "unit", "text")
        yield RowSet.of_rows(VALUES, columns, rows, array("i", [one.line for one in single]))
    for name, own in timed.items():
        cells = [(subject_of(one), _clock(one.at), one.value) for one in own]
        names = (SUBJECT, TIME, name)
        yield RowSet.of_rows(f"{TABLE}:{name}", names, cells, array("i", [one.line for one in own]))


def subject_of(sample: Sample) -> str:
    """Return the labels of a sample that say what it is of."""
    return ", ".join(f"{name} {text}" for name, text in sample.labels.items() if name not in UNNAMED)


def _clock(at: float | None) -> str:
    try:
        return dt.datetime.fromtimestamp(at or 0.0, dt.UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return ""
