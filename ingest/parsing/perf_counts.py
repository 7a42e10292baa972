"""One counter of `perf stat` in each of its forms: text, CSV (-x) and JSON (-j).

    count_of('{"counter-value" : "92", "event" : "context-switches", …}')  ->  Count("context-switches", …)

Source: tools/perf/util/stat-display.c; perf-stat(1), "CSV FORMAT" and "JSON FORMAT".
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from ingest.native.linear import Pattern
from ingest.paste.transcript import decimal

_GROUP = r"[,. '\u00a0\u202f]"
_NUMBER = rf"\d{{1,3}}(?:{_GROUP}\d{{3}})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
ROW = re.compile(
    r"^\s*(?:(?P<at>\d+\.\d{9})\s+)?"
    r"(?:(?P<of>CPU\d+|S\d+(?:-D\d+)?(?:-C\d+)?|N\d+)\s+(?:\d+\s+(?=[\d<]))?)?"
    rf"(?P<value>{_NUMBER}|<not (?:supported|counted)>)\s+"
    r"(?:(?P<unit>msec|nsec|usec|sec|Joules|[KMGT]i?B|ns|%)\s+)?"
    r"(?P<event>[A-Za-z][\w:./=,@-]*)(?:\s+\((?P<old_unit>msec)\))?(?:\s+(?:\[\w+\]\s*)?#?.*)?$"
)
_UTILIZED = re.compile(r"#\s*(?P<cpus>\d+[.,]\d+)\s+CPUs utilized")
_OF = r"(?:(?P<of>CPU\d+|S\d+(?:-D\d+)?(?:-C\d+)?|N\d+|[^,;|\t\s]{1,40}-\d+)[,;|\t](?:\d+[,;|\t])?)?"
"""The CPU, core, socket, node or thread that a row of CSV is of."""

CSV = re.compile(
    r"^\s*(?:(?P<at>\d+\.\d+)(?P<sep>[,;|\t]))?"
    rf"{_OF}(?P<value>\d+(?:\.\d+)?|<not (?:supported|counted)>)[,;|\t](?P<unit>[\w%/]*)[,;|\t]"
    r"(?P<event>[A-Za-z][\w:./=,@-]*?)[,;|\t](?:\d+(?:\.\d+)?%[,;|\t])?\d+[,;|\t]\d+[.,]\d+(?:[,;|\t](?P<rest>.*))?$"
)
METRIC = Pattern(
    r"^\s*#\s+\S|^\s*\(\d+[.,]\d+%\)\s*$"
    r"|^\s*(?:\d+\.\d+[,;|\t])?(?:[^,;|\t\s]{1,40}[,;|\t](?:\d+[,;|\t])?)?[,;|\t]{3,8}"
    r"[-+\w.]*[,;|\t][^,;|\t]{1,80}$"
)
"""A further metric of the counter above, as text and CSV."""

_PRINTED = re.compile(r"^(?:\d{1,30}(?:\.\d{1,30})?|<not (?:supported|counted)>)$")
_ALIASES = {"faults": "page-faults", "cs": "context-switches", "migrations": "cpu-migrations"}
_UNITS = {"msec": "ms", "nsec": "ns", "usec": "us", "sec": "seconds"}
MOST_SECONDS = 1e9
"""Of an interval; NaN is none, either."""

_UNCOUNTED = {"<not supported>": "event not supported", "<not counted>": "event not counted"}


class Count(NamedTuple):
    """One printed counter.

    Attributes:
        value: None when nothing was counted.
        reason: Why nothing was.
        at: Seconds from the start to the end of the interval.
        utilized: CPUs utilized, beside a clock.
        is_part: It is that of one CPU, core, socket, node or thread; the rows of the others stand beside it.
    """

    event: str
    unit: str
    value: float | None
    reason: str
    at: float | None
    utilized: float | None
    is_part: bool = False


PARTS = frozenset(("cpu", "core", "die", "socket", "node", "cluster", "cache", "thread"))
"""Keys of JSON that name what a row is of."""


def is_metric(line: str) -> bool:
    """Return whether a line is a further metric of the counter above, in any of the forms."""
    is_json = line.lstrip().startswith("{") and '"metric-value"' in line
    return (is_json and '"counter-value"' not in line) or METRIC.match(line) is not None


def count_of(line: str) -> Count | None:
    """Read one counter of any of the three forms."""
    if line.lstrip().startswith("{"):
        return _of_json(line)
    found = CSV.match(line)
    if found:
        value, utilized = found["value"], re.match(r"(\d+(?:\.\d+)?)\WCPUs utilized", found["rest"] or "")
        at = float(found["at"]) if found["at"] else None
        cpus = float(utilized[1]) if utilized else None
        count = _counted(found["event"], found["unit"], value, at, cpus)
        return count._replace(is_part=found["of"] is not None)
    found = ROW.match(line)
    if not found:
        return None
    shown = _UTILIZED.search(line)
    at = float(found["at"]) if found["at"] else None
    unit = found["unit"] or found["old_unit"] or ""
    cpus = decimal(shown["cpus"]) if shown else None
    value = found["value"] if found["value"] in _UNCOUNTED else str(number(found["value"]))
    return _counted(found["event"], unit, value, at, cpus)._replace(is_part=found["of"] is not None)


def _counted(event: str, unit: str, value: str, at: float | None, utilized: float | None) -> Count:
    if value in _UNCOUNTED:
        return Count(event, unit, None, _UNCOUNTED[value], at, None)
    return Count(event, unit, float(value), "", at, utilized)


def _of_json(line: str) -> Count | None:
    try:
        printed = json.loads(line.strip().rstrip(","))
    except (ValueError, RecursionError):
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
        float(at) if isinstance(at, int | float) and 0 <= at < MOST_SECONDS else None,
        float(str(cpus)) if re.match(r"^\d{1,9}(?:\.\d{1,9})?$", str(cpus)) else None,
    )._replace(is_part=not PARTS.isdisjoint(printed))


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


def named(event: str, unit: str) -> tuple[str, str]:
    """Return the name below `perf.stat.` and its unit: `task-clock` in msec is `task_clock_ms`, `ms`."""
    base, _, modifier = event.partition(":") if re.search(r":[ukhpPGHSD]+$", event) else (event, "", "")
    plain = _ALIASES.get(base, base) + (f"_{modifier}" if modifier else "")
    name = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")
    if not unit:
        return name, "count"
    suffix = _UNITS.get(unit, unit.lower().replace("%", "percent"))
    return f"{name}_{suffix}", suffix
