"""Counts of `perf stat`: as text, per interval (-I), as CSV (-x) and as JSON (-j).

Examples:
     Performance counter stats for process id '864720':

         304675.80 msec task-clock                #   29.130 CPUs utilized
                90      page-faults               #    0.000 K/sec
       <not supported>  cycles

          10.459018342 seconds time elapsed

         0.508481354,1027.86,msec,cpu-clock,1027867463,100.00,2.056,CPUs utilized

Intervals are added up: a fact is what was counted from start to end, and a row what an interval counted per
second. A table that stops before `seconds time
elapsed` is still computable: milliseconds of the clock by the CPUs utilized.

Source: tools/perf/util/stat-display.c; perf-stat(1), "CSV FORMAT" and "JSON FORMAT".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.perf_counts import CSV, ROW, count_of, is_metric, named
from ingest.parsing.series import Rows
from ingest.paste.transcript import decimal, option, transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import RowSet
    from ingest.model.section import Text
    from ingest.parsing.perf_counts import Count

NAME = "perf-stat"
VERSION = 3
TITLE = "perf stat"
COMMAND = "perf stat -p 1"
EXAMPLE = (
    " Performance counter stats for process id '864720':\n\n"
    "         304675.80 msec task-clock                #   29.130 CPUs utilized"
)

_HEAD = Pattern(r"^\s*Performance counter stats for (?:(?P<who>\w+ id) )?'(?P<what>.*)'.*:\s*$")
# A thread that ended between being listed and being opened; the others are counted.
_ENDED = re.compile(r"^WARNING: Ignored open failure for pid \d+$")
_INTERVALS = re.compile(r"^#\s+time\s+(?:\w+\s+){0,2}counts\s+unit\s+events")
_SUMMARY = re.compile(
    r"^\s*(?P<seconds>\d+[.,]\d+)\s+(?:\+-\s+[\d.,]+\s+)?seconds\s+(?P<what>time elapsed|user|sys)\b"
)
_SUMMARY_NAMES = {"time elapsed": "elapsed_seconds", "user": "user_seconds", "sys": "system_seconds"}
_CLOCKS = ("perf.stat.task_clock_ms", "perf.stat.cpu_clock_ms")
_STARTED = re.compile(r"^# started on \w{3} \w{3} .{6,30}$")
"""First line of -o, above each of the forms."""

RATE = "perf.rate."
CPUS = "cpus"
"""The rate of a clock: seconds of CPU time per second."""

LEAST_INTERVALS = 2
CUT = 1.5
"""Intervals from the start to the end of the first row, from which on rows before it are missing."""

MOST_EVENTS = 64
"""Of an interval; further ones are only counted in all."""

STARTS = (
    r"\s*Performance counter stats for ",
    _ENDED.pattern,
    _INTERVALS.pattern,
    _STARTED.pattern,
    CSV.pattern,
    r'\s*\{.*"counter-value"',
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether perf stat output starts at `lines[at]`: its headline, CSV or JSON of a counter."""
    line = lines[at]
    if _ENDED.match(line) or _STARTED.match(line):
        return _is_above_a_table(lines, at)
    return _is_first(line)


def _is_first(line: str) -> bool:
    if _HEAD.match(line) or _INTERVALS.match(line) or CSV.match(line):
        return True
    return line.lstrip().startswith("{") and '"counter-value"' in line


def _is_above_a_table(lines: Sequence[str], at: int) -> bool:
    """Return whether only such lines are between `at` and a counter: `perf record` warns alike."""
    below = (
        line for line in lines[at:] if line.strip() and not _ENDED.match(line) and not _STARTED.match(line)
    )
    return _is_first(next(below, ""))


def continues(line: str) -> bool:
    """Return whether `line` can occur among counters."""
    if not line.strip() or _STARTED.match(line) or '"counter-value"' in line:
        return True
    return any(shape.match(line) for shape in (_HEAD, _ENDED, _INTERVALS, CSV, ROW, _SUMMARY)) or is_metric(
        line
    )


def read(text: Text) -> Reading:
    """Read counters as facts; several intervals become their sum."""
    pasted = transcript(text)
    labels = _labels_of(pasted.command)
    counters = _Counters(labels)
    for number, line, _ in pasted.lines:
        if not line.strip() or _INTERVALS.match(line) or _STARTED.match(line):
            continue
        if _ENDED.match(line):
            pasted.skips.add("thread that ended before it was counted", number)
        elif head := _HEAD.match(line):
            counters.close()
            counters.labels = _labels(head["who"] or "", head["what"])
        elif summary := _SUMMARY.match(line):
            counters.put(_SUMMARY_NAMES[summary["what"]], "seconds", decimal(summary["seconds"]), number)
        elif count := count_of(line):
            if count.value is None:
                pasted.skips.add(count.reason, number)
            else:
                counters.add(count, number)
        elif not is_metric(line):
            pasted.skips.add("not a counter", number)
    if counters.close():
        detail = "no `seconds time elapsed`: worked out from the clock and the CPUs utilized"
        pasted.remark("cut_off", detail, text.first_line + len(text.lines) - 1)
    return Reading(
        facts=tuple(counters.facts),
        row_sets=counters.intervals.row_sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


class _Intervals:
    """The counters of each interval of -I as what they count per second, clocks as CPUs."""

    def __init__(self) -> None:
        self._counted: dict[float, dict[str, float]] = {}
        self._lines: dict[float, int] = {}

    def add(self, at: float, name: str, value: float, line: int) -> None:
        """Add a counter of the interval that ends at `at` seconds; those of several CPUs are added up."""
        counted = self._counted.setdefault(at, {})
        self._lines.setdefault(at, line)
        if name in counted or len(counted) < MOST_EVENTS:
            counted[name] = counted.get(name, 0.0) + value

    def start(self) -> float:
        """Return when the first interval begins: 0, unless the rows before it are cut off."""
        first, *others = sorted(self._counted) or [0.0]
        step = others[0] - first if others else first
        return first - step if first > CUT * step else 0.0

    def rates(self) -> list[tuple[float, int, dict[str, float]]]:
        """Return end, line and rates of each interval in order."""
        found, before = [], self.start()
        for at, counted in sorted(self._counted.items()):
            if (step := at - before) > 0:
                found.append((at, self._lines[at], {name: value / step for name, value in counted.items()}))
            before = at
        lines = [line for _, line, _ in found]
        # Intervals that a paste has out of order are of several recordings, or edited.
        return found if len(found) >= LEAST_INTERVALS and lines == sorted(lines) else []

    def facts(self, labels: dict[str, str]) -> list[Fact]:
        """Return the mean rate of each counter that all intervals have."""
        rates = self.rates()
        if not rates:
            return []
        lines = Lines(rates[0][1], rates[-1][1])
        names = [name for name in rates[0][2] if all(name in own for _, _, own in rates)]
        return [
            Fact(
                f"{RATE}{name}",
                round(sum(own[name] for _, _, own in rates) / len(rates), 6),
                lines,
                "count" if name == CPUS else "per_second",
                labels,
            )
            for name in names
        ]

    def row_sets(self) -> tuple[RowSet, ...]:
        """Return a row for each interval."""
        rows = Rows("perf_stat")
        for at, line, own in self.rates():
            rows.add(line, {"time_s": at, **{f"rate.{name}": round(value, 6) for name, value in own.items()}})
        return rows.sets()


class _Counters:
    """Adds up the counters of one table."""

    def __init__(self, labels: dict[str, str]) -> None:
        """Start an empty table about `labels`."""
        self.labels = labels
        self.facts: list[Fact] = []
        self.intervals = _Intervals()
        self._open: dict[str, Fact] = {}
        self._last_at: tuple[float, int] | None = None
        self._utilized: float | None = None

    def put(self, name: str, unit: str, value: float, line: int) -> None:
        """Record one value; the same name again is added to it."""
        full = f"perf.stat.{name}"
        before = self._open.get(full)
        if before is not None and isinstance(before.value, float):
            lines = Lines(before.lines.first, line)
            self._open[full] = Fact(full, before.value + value, lines, unit, self.labels)
        else:
            self._open[full] = Fact(full, value, Lines.at(line), unit, self.labels)

    def add(self, count: Count, line: int) -> None:
        """Record one counter."""
        name, unit = named(count.event, count.unit)
        self.put(name, unit, count.value or 0.0, line)
        if f"perf.stat.{name}" in _CLOCKS and count.utilized:
            before = self._utilized if count.is_part else None
            self._utilized = count.utilized + (before or 0.0)
        if count.at is not None:
            self._last_at = (count.at, line)
            if unit == "count":
                self.intervals.add(count.at, name, count.value or 0.0, line)
            elif f"perf.stat.{name}" in _CLOCKS:
                self.intervals.add(count.at, CPUS, (count.value or 0.0) / 1000, line)

    def close(self) -> bool:
        """End the table; True when the elapsed time had to be worked out for want of an end."""
        is_derived = self._derive()
        self.facts.extend((*self._open.values(), *self.intervals.facts(self.labels)))
        self._open = {}
        self._last_at = self._utilized = None
        return is_derived

    def _derive(self) -> bool:
        if "perf.stat.elapsed_seconds" in self._open or not self._open:
            return False
        if self._last_at is not None:
            at, line = self._last_at
            self.put("elapsed_seconds", "seconds", at - self.intervals.start(), line)
            return False
        clock = next((self._open[name] for name in _CLOCKS if name in self._open), None)
        if clock is None or not self._utilized or not isinstance(clock.value, float):
            return False
        self.put("elapsed_seconds", "seconds", clock.value / 1000 / self._utilized, clock.lines.first)
        return True


def _labels(who: str, what: str) -> dict[str, str]:
    """Return the label of the headline: one process or thread, none for several or for a command."""
    if not what.isdecimal():
        return {}
    return {"process id": {"pid": what}, "thread id": {"tid": what}}.get(who, {})


def _labels_of(command: str) -> dict[str, str]:
    """Return the label the command states: CSV has no headline."""
    pid = option(command, "-p") or option(command, "--pid")
    return {"pid": pid} if pid and pid.isdecimal() else {}
