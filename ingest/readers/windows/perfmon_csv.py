r"""Windows counters: `typeperf`, `relog -f csv`, Performance Monitor.

Example:
    "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)","\\DB01\Processor(_Total)\% Processor Time"
    "11/21/2026 14:35:24.123","63.219847"

The first row is the time zone and the counters; a blank cell is a look without a value. A counter is a fact
with its object, instance and name as labels: the mean over the looks.
Source: https://learn.microsoft.com/windows-server/administration/windows-commands/typeperf
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import Reading
from ingest.parsing.series import Quantity, Rows, Series
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "perfmon-csv"
VERSION = 1
TITLE = "Windows counters (typeperf)"
COMMAND = "cat ./typeperf.csv"
EXAMPLE = (
    '"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)","\\\\DB01\\Processor(_Total)\\% Processor Time"\n'
    '"11/21/2026 14:35:24.123","63.219847"'
)

_HEAD = re.compile(r'^\s*"\(PDH-CSV 4\.0\)')
_ROW = re.compile(r'^\s*"\d\d?/\d\d?/\d{4} \d\d:\d\d:\d\d(?:\.\d+)?",')
_NOTE = re.compile(r"^(?:Exiting, please wait|The command completed successfully)")
_COUNTER = re.compile(
    r"^\\\\(?P<host>[^\\]+)\\(?P<object>[^\\(]+)(?:\((?P<instance>.*)\))?\\(?P<counter>.+)$"
)
_CPU = {
    "% processor time": "cpu.busy_share",
    "% user time": "cpu.user_share",
    "% privileged time": "cpu.system_share",
    "% interrupt time": "cpu.irq_share",
    "% dpc time": "cpu.softirq_share",
}


class _Counter(NamedTuple):
    """A column: what it is called as a fact, and its entity."""

    quantity: Quantity
    labels: dict[str, str]
    column: str


STARTS = (_HEAD.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the table starts at `lines[at]`."""
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a look."""
    return bool(_HEAD.match(line) or _ROW.match(line) or _NOTE.match(line))


def _cells(line: str) -> list[str]:
    """Return the cells of a row, none when its quotes do not close."""
    try:
        return next(csv.reader([line.strip()]), [])
    except csv.Error:
        return []


def _counter(path: str) -> _Counter | None:
    """Parse a counter path; None if it is not one."""
    found = _COUNTER.match(path)
    if not found:
        return None
    kind, instance, name = found["object"].strip(), found["instance"] or "", found["counter"].strip()
    if kind.lower() == "processor" and name.lower() in _CPU:
        labels = {} if instance == "_Total" else {"cpu": instance}
        return _Counter(Quantity(_CPU[name.lower()], "share", 0.01), labels, name)
    labels = {"object": kind, "counter": name} | ({"instance": instance} if instance else {})
    if name.startswith("%"):
        return _Counter(Quantity("windows.counter_share", "share", 0.01), labels, name)
    unit = "per_second" if name.endswith("/sec") else "count"
    return _Counter(
        Quantity(f"windows.counter_{unit}" if unit != "count" else "windows.counter", unit), labels, name
    )


def read(text: Text) -> Reading:
    """Read the mean of every counter as a fact, and every look as rows of `perfmon`."""
    pasted = transcript(text)
    series, rows = Series(), Rows("perfmon")
    counters: list[_Counter | None] = []
    for number, line, _ in pasted.lines:
        if not line.strip() or _NOTE.match(line):
            continue
        if not _HEAD.match(line) and not _ROW.match(line):
            pasted.skips.add("not a look at counters", number)
            continue
        cells = _cells(line)
        if _HEAD.match(line):
            counters = [_counter(path) for path in cells[1:]]
            if unknown := counters.count(None):
                pasted.skips.add("a column that is no counter", number, unknown)
            continue
        for counter, cell in zip(counters, cells[1:], strict=False):
            if counter is None or not re.fullmatch(r"-?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?", cell.strip()):
                continue
            value = float(cell.strip().replace(",", "."))
            series.add(counter.quantity, value, number, counter.labels)
            row_cells: dict[str, Cell] = {"time_text": cells[0], **counter.labels, "counter": counter.column}
            rows.add(number, {**row_cells, "value": value})
    return Reading(
        facts=tuple(series.facts()),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
