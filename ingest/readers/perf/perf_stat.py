"""Counts of `perf stat`: as text, per interval (-I), as CSV (-x) and as JSON (-j).

Examples:
     Performance counter stats for process id '864720':

         304675.80 msec task-clock                #   29.130 CPUs utilized
                90      page-faults               #    0.000 K/sec
       <not supported>  cycles

          10.459018342 seconds time elapsed

         0.508481354,1027.86,msec,cpu-clock,1027867463,100.00,2.056,CPUs utilized

Intervals are added up: a fact is what was counted from start to end. A table that stops before `seconds time
elapsed` is still computable: milliseconds of the clock by the CPUs utilized.

Source: tools/perf/util/stat-display.c; perf-stat(1), "CSV FORMAT" and "JSON FORMAT".
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.paste.transcript import decimal, option, transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "perf-stat"
VERSION = 2
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
_GROUP = r"[,. '\u00a0\u202f]"
_NUMBER = rf"\d{{1,3}}(?:{_GROUP}\d{{3}})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
_ROW = re.compile(
    r"^\s*(?:(?P<at>\d+\.\d{9})\s+)?(?:(?:CPU\d+|S\d+(?:-D\d+)?(?:-C\d+)?|N\d+)\s+(?:\d+\s+(?=[\d<]))?)?"
    rf"(?P<value>{_NUMBER}|<not (?:supported|counted)>)\s+"
    r"(?:(?P<unit>msec|nsec|usec|sec|Joules|[KMGT]i?B|ns|%)\s+)?"
    r"(?P<event>[A-Za-z][\w:./=,@-]*)(?:\s+\((?P<old_unit>msec)\))?(?:\s+(?:\[\w+\]\s*)?#?.*)?$"
)
_UTILIZED = re.compile(r"#\s*(?P<cpus>\d+[.,]\d+)\s+CPUs utilized")
_SUMMARY = re.compile(
    r"^\s*(?P<seconds>\d+[.,]\d+)\s+(?:\+-\s+[\d.,]+\s+)?seconds\s+(?P<what>time elapsed|user|sys)\b"
)
_METRIC_ONLY = re.compile(r"^\s*#\s+\S|^\s*\(\d+[.,]\d+%\)\s*$")
_CSV = re.compile(
    r"^\s*(?:(?P<at>\d+\.\d+)(?P<sep>[,;|\t]))?"
    r"(?:(?:CPU\d+|S\d+(?:-D\d+)?(?:-C\d+)?|N\d+)[,;|\t](?:\d+[,;|\t])?)?"
    r"(?P<value>\d+(?:\.\d+)?|<not (?:supported|counted)>)[,;|\t](?P<unit>[\w%/]*)[,;|\t]"
    r"(?P<event>[A-Za-z][\w:./=,@-]*?)[,;|\t](?:\d+(?:\.\d+)?%[,;|\t])?\d+[,;|\t]\d+[.,]\d+(?:[,;|\t](?P<rest>.*))?$"
)
_PRINTED = re.compile(r"^(?:\d{1,30}(?:\.\d{1,30})?|<not (?:supported|counted)>)$")
_ALIASES = {"faults": "page-faults", "cs": "context-switches", "migrations": "cpu-migrations"}
_UNITS = {"msec": "ms", "nsec": "ns", "usec": "us", "sec": "seconds"}
_SUMMARY_NAMES = {"time elapsed": "elapsed_seconds", "user": "user_seconds", "sys": "system_seconds"}
_CLOCKS = ("perf.stat.task_clock_ms", "perf.stat.cpu_clock_ms")
_UNCOUNTED = {"<not supported>": "event not supported", "<not counted>": "event not counted"}


class _Count(NamedTuple):
    """One printed counter; `value` is None when nothing was counted."""

    event: str
    unit: str
    value: float | None
    reason: str
    at: float | None
    utilized: float | None


STARTS = (
    r"\s*Performance counter stats for ",
    _ENDED.pattern,
    _INTERVALS.pattern,
    _CSV.pattern,
    r'\s*\{.*"counter-value"',
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether perf stat output starts at `lines[at]`: its headline, CSV or JSON of a counter."""
    line = lines[at]
    if _ENDED.match(line):
        return _is_above_a_table(lines, at)
    if _HEAD.match(line) or _INTERVALS.match(line) or _CSV.match(line):
        return True
    return line.lstrip().startswith("{") and '"counter-value"' in line


def _is_above_a_table(lines: Sequence[str], at: int) -> bool:
    """Return whether only such warnings are between `at` and a headline: `perf record` warns alike."""
    below = (line for line in lines[at:] if line.strip() and not _ENDED.match(line))
    return _HEAD.match(next(below, "")) is not None


def continues(line: str) -> bool:
    """Return whether `line` can occur among counters."""
    if not line.strip() or line.startswith("# started on") or '"counter-value"' in line:
        return True
    return any(shape.match(line) for shape in (_HEAD, _ENDED, _INTERVALS, _CSV, _ROW, _SUMMARY, _METRIC_ONLY))


def read(text: Text) -> Reading:
    """Read counters as facts; several intervals become their sum."""
    pasted = transcript(text)
    labels = _labels_of(pasted.command)
    counters = _Counters(labels)
    for number, line, _ in pasted.lines:
        if not line.strip() or _INTERVALS.match(line) or line.startswith("# started on"):
            continue
        if _ENDED.match(line):
            pasted.skips.add("thread that ended before it was counted", number)
        elif head := _HEAD.match(line):
            counters.close()
            counters.labels = _labels(head["who"] or "", head["what"])
        elif summary := _SUMMARY.match(line):
            counters.put(_SUMMARY_NAMES[summary["what"]], "seconds", decimal(summary["seconds"]), number)
        elif count := _count(line):
            if count.value is None:
                pasted.skips.add(count.reason, number)
            else:
                counters.add(count, number)
        elif not _METRIC_ONLY.match(line):
            pasted.skips.add("not a counter", number)
    if counters.close():
        detail = "no `seconds time elapsed`: worked out from the clock and the CPUs utilized"
        pasted.remark("cut_off", detail, text.first_line + len(text.lines) - 1)
    return Reading(facts=tuple(counters.facts), skipped=pasted.skips.result(), quality=tuple(pasted.quality))


class _Counters:
    """Adds up the counters of one table."""

    def __init__(self, labels: dict[str, str]) -> None:
        """Start an empty table about `labels`."""
        self.labels = labels
        self.facts: list[Fact] = []
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

    def add(self, count: _Count, line: int) -> None:
        """Record one counter."""
        name, unit = _named(count.event, count.unit)
        self.put(name, unit, count.value or 0.0, line)
        if f"perf.stat.{name}" in _CLOCKS and count.utilized:
            self._utilized = count.utilized
        if count.at is not None:
            self._last_at = (count.at, line)

    def close(self) -> bool:
        """End the table; True when the elapsed time had to be worked out for want of an end."""
        is_derived = self._derive()
        self.facts.extend(self._open.values())
        self._open = {}
        self._last_at = self._utilized = None
        return is_derived

    def _derive(self) -> bool:
        if "perf.stat.elapsed_seconds" in self._open or not self._open:
            return False
        if self._last_at is not None:
            self.put("elapsed_seconds", "seconds", *self._last_at)
            return False
        clock = next((self._open[name] for name in _CLOCKS if name in self._open), None)
        if clock is None or not self._utilized or not isinstance(clock.value, float):
            return False
        self.put("elapsed_seconds", "seconds", clock.value / 1000 / self._utilized, clock.lines.first)
        return True


def _count(line: str) -> _Count | None:
    """Read one counter of any of the three forms."""
    if line.lstrip().startswith("{"):
        return _json_count(line)
    found = _CSV.match(line)
    if found:
        value, utilized = found["value"], re.match(r"(\d+(?:\.\d+)?)\WCPUs utilized", found["rest"] or "")
        at = float(found["at"]) if found["at"] else None
        cpus = float(utilized[1]) if utilized else None
        return _counted(found["event"], found["unit"], value, at, cpus)
    found = _ROW.match(line)
    if not found:
        return None
    shown = _UTILIZED.search(line)
    at = float(found["at"]) if found["at"] else None
    unit = found["unit"] or found["old_unit"] or ""
    cpus = decimal(shown["cpus"]) if shown else None
    value = found["value"] if found["value"] in _UNCOUNTED else str(number(found["value"]))
    return _counted(found["event"], unit, value, at, cpus)


def _counted(event: str, unit: str, value: str, at: float | None, utilized: float | None) -> _Count:
    if value in _UNCOUNTED:
        return _Count(event, unit, None, _UNCOUNTED[value], at, None)
    return _Count(event, unit, float(value), "", at, utilized)


def _json_count(line: str) -> _Count | None:
    try:
        printed = json.loads(line)
    except ValueError:
        return None
    if not isinstance(printed, dict) or "counter-value" not in printed or "event" not in printed:
        return None
    if not _PRINTED.match(str(printed["counter-value"])):
        return None
    at = printed.get("interval")
    cpus = printed.get("metric-value") if printed.get("metric-unit") == "CPUs utilized" else None
    return _counted(
        str(printed["event"]),
        str(printed.get("unit", "")),
        str(printed["counter-value"]),
        float(at) if isinstance(at, int | float) else None,
        float(str(cpus)) if re.match(r"^\d{1,9}(?:\.\d{1,9})?$", str(cpus)) else None,
    )


def number(text: str) -> float:
    """Return a count with or without grouped thousands; groups have three digits, decimals never do."""
    parts = re.split(_GROUP, text)
    separators = re.findall(_GROUP, text)
    if len(parts) == 1:
        return float(text)
    *groups, last = parts
    is_decimal = len(last) != 3 or (len(separators) > 1 and separators[-1] != separators[-2])
    if is_decimal or len(groups[0]) > 3:
        return float("".join(groups) + "." + last)
    return float("".join(parts))


def _named(event: str, unit: str) -> tuple[str, str]:
    """Return the name below `perf.stat.` and its unit: `task-clock` in msec is `task_clock_ms`, `ms`."""
    base, _, modifier = event.partition(":") if re.search(r":[ukhpPGHSD]+$", event) else (event, "", "")
    plain = _ALIASES.get(base, base) + (f"_{modifier}" if modifier else "")
    name = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")
    if not unit:
        return name, "count"
    suffix = _UNITS.get(unit, unit.lower().replace("%", "percent"))
    return f"{name}_{suffix}", suffix


def _labels(who: str, what: str) -> dict[str, str]:
    """Return the label of the headline: one process or thread, none for several or for a command."""
    if not what.isdecimal():
        return {}
    return {"process id": {"pid": what}, "thread id": {"tid": what}}.get(who, {})


def _labels_of(command: str) -> dict[str, str]:
    """Return the label the command states: CSV has no headline."""
    pid = option(command, "-p") or option(command, "--pid")
    return {"pid": pid} if pid and pid.isdecimal() else {}
