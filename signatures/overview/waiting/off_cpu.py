"""Off-CPU waits and latency distributions."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from ingest.model.row_columns import Numbers
from signatures.language.number_format import value_words
from signatures.overview import averages, impossible, window_rules
from signatures.overview.model import Answer, Covers, Figure, Place, Statement, place, shortened
from signatures.overview.scope_evidence import sections_of
from signatures.overview.waiting.blocked_tasks import MANY_BLOCKED, uninterruptible
from signatures.overview.waiting.captures import BLOCKED
from signatures.overview.waiting.listed_tasks import asleep, none_blocked, unlisted, zombies
from signatures.overview.waiting.places import off_cpu_places
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ingest.model.histogram import Histogram
    from signatures.judging.scope import Item
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence, Table

_THREAD_FILE = re.compile(r"(?:^|/)proc/\d+/task/(?P<tid>\d+)/\w+$")
SHOWN = 8
NAMED_BY = ("wchan", "command", "comm")
"""What names the place where a listed task waits, the most telling first."""

TASK = ("tid", "pid")

RAMP_STEPS = 4
MIN_COUNTS = 20
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
SEPARATION = 8.0
"""Minimum ratio of peak to valley between two populations of a histogram."""


def off_cpu(evidence: ScopeEvidence) -> Answer:
    """Group tasks in uninterruptible sleep by wait channel; CPU profiles cannot show them.

    Hung tasks of the kernel log are in the wait graph.
    """
    waits: Counter[str] = Counter()
    places: dict[str, list[Place]] = {}
    tasks = 0
    listed: set[str] = set()
    tables = [table for name in ("ps", "top") for table in evidence.tables(name)]
    blocked_rows = [table.are("state", lambda state: state.startswith("D")) for table in tables]
    for table, is_blocked in zip(tables, blocked_rows, strict=True):
        task_of, place_of = table.first_of(*TASK), table.first_of(*NAMED_BY)
        for at in np.flatnonzero(is_blocked).tolist():
            task = _number(task_of(at) or "")
            if task and task in listed:
                continue
            tasks += 1
            listed.add(task)
            where = str(place_of(at) or "unknown function")
            waits[where] += 1
            places.setdefault(where, []).append(table.place(at, at))
    for table, is_blocked in zip(tables, blocked_rows, strict=True):
        others = _tasks(table, ~is_blocked)
        tasks += others.pop("", 0) + len(others.keys() - listed)
        listed.update(others)
    for entry, tid, where in _states(evidence):
        if tid in listed:
            continue
        tasks += 1
        if entry.fact.value == "D":
            waits[where] += 1
            places.setdefault(where, []).append(entry.place)
    figures = [
        Figure(
            f"uninterruptible in {where}",
            float(count),
            "count",
            tuple(places[where][:3]),
            count >= MANY_BLOCKED,
        )
        for where, count in waits.most_common(SHOWN)
    ]
    figures += _off_cpu_profiles(evidence)
    blocked = evidence.figure("sched.blocked", "blocked tasks", above=float(MANY_BLOCKED))
    figures += [blocked] if blocked else []
    statements = list(off_cpu_places(evidence.waiting_profiles))
    if waits:
        statements.append(uninterruptible(waits, places, is_selected=waits.total() == tasks))
    elif blocked and blocked.is_notable and not window_rules.is_stated(evidence, "sched.blocked"):
        mean = evidence.highest("sched.blocked")
        count = averages.count_of(evidence, mean, MANY_BLOCKED) if mean else averages.Count(blocked.words, "")
        text = f"{count.words} tasks are blocked in uninterruptible sleep{count.mean}"
        statements.append(
            Statement(
                "scheduling",
                text,
                blocked.places,
                "alarm",
                capture=BLOCKED,
                topic="blocked tasks",
                subject=blocked.label,
            )
        )
    lacks = ("ps -eLo pid,tid,stat,wchan:30,comm", "offcputime -K 10") if not figures else ()
    unreaped = zombies(tables, tasks)
    statements += [unreaped] if unreaped else []
    if not figures and tasks:
        first = next((table.place(0, 0) for table in tables), None)
        listing = first or evidence.facts("process.state")[0].place
        covers = Covers("scheduling", _sections(evidence, tables), unlisted(evidence, tasks))
        statement = (
            unreaped or asleep(tables, tasks) or none_blocked(evidence, tables, tasks, covers, listing)
        )
        none = Figure("tasks in uninterruptible sleep", 0.0, "count", (listing,))
        return Answer(f"{statement.text}.", (none,), (), (statement,))
    if not figures:
        return Answer("No data about waiting tasks.", (), lacks)
    top = max(figures, key=lambda figure: figure.is_notable)
    words = f"{capital(top.label)}: {top.words}."
    return Answer(words, shortened(figures, SHOWN), (), tuple(statements))


def _sections(evidence: ScopeEvidence, tables: list[Table]) -> tuple[Place, ...]:
    """Return the sections that list tasks."""
    items = {id(table.item): table.item for table in tables}.values()
    lists = (place(item, item.first_line, item.last_line) for item in items)
    return (*lists, *sections_of(evidence.facts("process.state")))


def _tasks(table: Table, chosen: NDArray[np.bool_]) -> dict[str, int]:
    """Return in how many of the chosen rows each task is, "" for rows that name none."""
    columns = [one for one in map(table.rows.column, TASK) if one is not None]
    if not all(isinstance(one, Numbers) for one in columns):
        task_of = table.first_of(*TASK)
        return Counter(_number(task_of(at) or "") for at in np.flatnonzero(chosen).tolist())
    ids = np.zeros(len(table.rows))
    for name in TASK:
        ids = np.where(ids == 0, np.nan_to_num(table.numbers(name)), ids)
    found, counts = (one.tolist() for one in np.unique(ids[chosen], return_counts=True))
    return {str(int(one)) if one else "": count for one, count in zip(found, counts, strict=True)}


def _number(cell: object) -> str:
    """Return a thread id as /proc spells it; ps prints texts and numbers."""
    return f"{cell:.0f}" if isinstance(cell, float) else str(cell)


def _states(evidence: ScopeEvidence) -> Iterator[tuple[FactEntry, str, str]]:
    """Yield the last state of every thread, with its id, and with its wait channel, else its name.

    Files below /proc/PID/task/TID name their thread by path; they may be read twice.
    """
    channels = {
        found["tid"]: str(one.fact.value)
        for one in evidence.facts("process.wchan")
        if one.fact.value != "0" and (found := _THREAD_FILE.search(one.item.captured_path))
    }
    names = {
        (id(one.item), one.label("pid")): str(one.fact.value)
        for one in reversed(evidence.facts("process.name"))
    }
    states: dict[str, tuple[FactEntry, str]] = {}
    for at, entry in enumerate(evidence.facts("process.state")):
        found = _THREAD_FILE.search(entry.item.captured_path)
        key = found["tid"] if found else entry.label("pid") or f"{at}. state"
        states[key] = entry, channels.get(key) or _process_of(names, entry)
    yield from ((entry, tid, where) for tid, (entry, where) in states.items())


def _process_of(names: dict[tuple[int, str], str], state: FactEntry) -> str:
    """Return the name of the process whose state this is, else its PID."""
    pid = state.label("pid")
    name = names.get((id(state.item), pid), "")
    return f"{name} (PID {pid})" if name and pid else name or f"PID {pid}"


def _off_cpu_profiles(evidence: ScopeEvidence) -> list[Figure]:
    """Return the total off-CPU time of each off-CPU profile."""
    figures = []
    for item in evidence.items:
        for profile in item.reading.profiles:
            if profile.what != "offcpu" or not profile.weight:
                continue
            lines = profile.sample_line
            where = (place(item, int(lines.min()), int(lines.max())),)
            factor = SECONDS.get(profile.unit)
            waited, unit = (profile.weight * factor, "seconds") if factor else (profile.weight, profile.unit)
            figures.append(Figure(f"total off-CPU time, from {item.format}", round(waited, 6), unit, where))
    return figures


def latency(evidence: ScopeEvidence) -> Answer:
    """Describe latency distributions: bimodal, a falling ramp (a backlog), or one tail."""
    figures: list[Figure] = []
    lacks: list[str] = []
    for item in evidence.items:
        filtered = "filtered" in item.reading.quality_names
        figures += [
            _shape(histogram, item, is_filtered=filtered)
            for printed in item.reading.histograms
            if (histogram := impossible.credible(evidence, printed, item))
            and histogram.unit in SECONDS
            and sum(histogram.counts) >= MIN_COUNTS
        ]
        if filtered and item.reading.row_sets:
            lacks.append(f"{item.evidence} without its filter: filtered values have no percentiles")
    ramp = evidence.highest("net.rtt.ladder.length")
    if ramp:
        is_backlog = ramp.number >= RAMP_STEPS
        note = "round-trip times fall in steps: a backlog drains" if is_backlog else ""
        figures.append(Figure("longest falling ramp", ramp.number, "count", (ramp.place,), is_backlog, note))
    longest = evidence.highest("trace.max_latency_us")
    if longest:
        figures.append(Figure("highest latency in a table", longest.number, "us", (longest.place,)))
    if not figures:
        return Answer("No latency measurements.", lacks=(*lacks, "bpftrace or bcc: runqlat, biolatency"))
    first = figures[0]
    others = len(figures) - 1
    more = f", and {others} more {'latency' if others == 1 else 'latencies'}" if others else ""
    words = f"{capital(first.label)}: {first.words}{more}."
    return Answer(words, shortened(figures, SHOWN), tuple(lacks), is_undecided=True)


def _shape(histogram: Histogram, item: Item, *, is_filtered: bool) -> Figure:
    """Return the bucket of the median, or both peaks of a bimodal histogram."""
    counts = histogram.counts
    peaks = _peaks(counts)
    name = f"{histogram.name} {histogram.key}".strip()
    where = (place(item, histogram.lines.first, histogram.lines.last),)
    if len(peaks) > 1:
        low, high = histogram.lows[peaks[0]], histogram.lows[peaks[-1]]
        words = f"{name}: two populations, near {value_words(low)} and {value_words(high)} {histogram.unit}"
        return Figure(words, high, histogram.unit, where, note="bimodal")
    if is_filtered:
        return Figure(f"{name}: filtered, no median", float(sum(counts)), "count", where)
    half, running = sum(counts) / 2, 0.0
    for at, count in enumerate(counts):
        running += count
        if running >= half:
            return Figure(f"{name}: median below", histogram.highs[at], histogram.unit, where)
    return Figure(name, float(sum(counts)), "count", where)


def _peaks(counts: tuple[float, ...]) -> list[int]:
    """Return the peaks: buckets separated by a valley of at most an eighth of their height."""
    found: list[int] = []
    valley = 0.0
    for at, count in enumerate(counts):
        if count <= 0:
            valley = 0.0 if found else valley
            continue
        if not found:
            found.append(at)
            valley = count
        elif count > counts[found[-1]] and valley * SEPARATION > counts[found[-1]]:
            found[-1], valley = at, count
        elif valley * SEPARATION <= min(count, counts[found[-1]]):
            found.append(at)
            valley = count
        valley = min(valley, count)
    largest = max(counts)
    return [at for at in found if counts[at] * 10 >= largest]
