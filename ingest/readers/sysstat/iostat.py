"""`iostat`, plain and extended (-x): CPU shares and block devices over time.

Examples:
    avg-cpu:  %user   %nice %system %iowait  %steal   %idle
              32.64    9.45   24.29    0.56    0.65   32.41

    Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s  …  aqu-sz  %util
    vda            138.06  24902.84    22.33  13.92    6.44   180.38  128.38  16243.89  …    1.27  10.44

The first report is the average since boot: it is left out when another follows, and remarked on when alone.
Source: sysstat iostat.c; iostat(1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import Reading
from ingest.parsing.series import (
    BANNER,
    CPU_SHARES,
    Quantity,
    Rows,
    Series,
    banner_facts,
    cells_of,
    printed_number,
    share,
)
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.facts import Fact
    from ingest.model.reading import Cell, Quality, Skipped
    from ingest.model.section import Text

NAME = "iostat"
VERSION = 1
TITLE = "iostat"
COMMAND = "iostat -x 1"
EXAMPLE = (
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
    "          32.64    9.45   24.29    0.56    0.65   32.41"
)

_CPU_HEAD = re.compile(r"^avg-cpu:\s+(?P<columns>%user\s.*%idle)\s*$")
_CPU_ROW = re.compile(r"^\s+\d+[.,]\d\d(?:\s+\d+[.,]\d\d){5}\s*$")
_HEAD = re.compile(r"^(?:Device:?|Disk)\s+(?P<columns>(?:tps|rrqm/s|r/s|%rrqm)\s.*\S)\s*$")
_ROW = re.compile(r"^(?P<device>[a-zA-Z][\w.!/-]*)\s+(?P<cells>\d+[.,]\d\d(?:\s+\d+(?:[.,]\d\d)?){3,})\s*$")
_STAMP = re.compile(
    r"^(?:\d\d?[/.-]\d\d?[/.-]\d{2,4}\s+\d\d?:\d\d:\d\d(?: [AP]M)?|\d{4}-\d\d-\d\dT[\d:]+(?:[+-]\d{4})?)\s*$"
)
_UNIT_FACTORS = {"kB": 1024.0, "MB": 1024.0**2, "Blk": 512.0, "sec": 512.0}
_BYTES = re.compile(
    r"^(?P<kind>r|w|d)?(?P<unit>kB|MB|sec)/s$|^(?P<old_unit>kB|MB|Blk)_(?P<old>read|wrtn|dscd)/s$"
)
_KINDS = {
    "r": "read",
    "w": "written",
    "d": "discarded",
    "read": "read",
    "wrtn": "written",
    "dscd": "discarded",
}

QUANTITIES: Mapping[str, Quantity] = {
    "r/s": Quantity("disk.reads_per_second", "per_second"),
    "w/s": Quantity("disk.writes_per_second", "per_second"),
    "tps": Quantity("disk.requests_per_second", "per_second"),
    "r_await": Quantity("disk.read_await_ms", "ms"),
    "w_await": Quantity("disk.write_await_ms", "ms"),
    "await": Quantity("disk.await_ms", "ms"),
    "aqu-sz": Quantity("disk.queue_length", "count"),
    "avgqu-sz": Quantity("disk.queue_length", "count"),
    "%util": share("disk.util_share"),
}


class _Look(NamedTuple):
    """One printed value and the number of its report."""

    report: int
    line: int
    quantity: Quantity
    value: float
    device: str


def quantity_of(column: str) -> Quantity | None:
    """Return the meaning of a device column, None for one that is ignored."""
    found = _BYTES.match(column)
    if not found:
        return QUANTITIES.get(column)
    kind = _KINDS[found["kind"] or found["old"]]
    return Quantity(
        f"disk.{kind}_bytes_per_second", "per_second", _UNIT_FACTORS[found["unit"] or found["old_unit"]]
    )


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether iostat output starts at `lines[at]`: a header, or the host line above one."""
    line = lines[at]
    if BANNER.match(line):
        return any(_CPU_HEAD.match(ahead) or _HEAD.match(ahead) for ahead in lines[at + 1 : at + 5])
    return bool(_CPU_HEAD.match(line) or _HEAD.match(line))


def continues(line: str) -> bool:
    """Return whether `line` is a header, a row or the time of a report."""
    return any(shape.match(line) for shape in (_CPU_HEAD, _CPU_ROW, _HEAD, _ROW, _STAMP, BANNER))


def read(text: Text) -> Reading:
    """Read the means of all reports but the first as facts, and every report as rows of `iostat`."""
    pasted = transcript(text)
    facts: list[Fact] = []
    looks: list[_Look] = []
    cpu_columns: list[str] = []
    columns: list[str] = []
    reports = {"cpu": 0, "disk": 0}
    for number, line, _ in pasted.lines:
        if not line.strip() or _STAMP.match(line):
            continue
        if stated := banner_facts(line, number):
            facts.extend(stated)
        elif head := _CPU_HEAD.match(line):
            cpu_columns = head["columns"].split()
            reports["cpu"] += 1
        elif head := _HEAD.match(line):
            columns = head["columns"].split()
            reports["disk"] += 1
        elif _CPU_ROW.match(line) and (cells := cells_of(line.split(), cpu_columns)):
            looks += [
                _Look(reports["cpu"], number, CPU_SHARES[column], value, "")
                for column, cell in cells.items()
                if column in CPU_SHARES and (value := printed_number(cell)) is not None
            ]
        elif (row := _ROW.match(line)) and (cells := cells_of(row["cells"].split(), columns)):
            looks += [
                _Look(reports["disk"], number, quantity, value, row["device"])
                for column, cell in cells.items()
                if (quantity := quantity_of(column)) and (value := printed_number(cell)) is not None
            ]
        else:
            pasted.skips.add("not a row of iostat", number)
    last = max(reports.values())
    if last == 1 and looks:
        pasted.remark(
            "few_samples", "the only report is the average since boot, not a look at now", looks[0].line
        )
    return _reading(facts, looks, last, pasted.skips.result(), tuple(pasted.quality))


def _reading(
    facts: Sequence[Fact],
    looks: Sequence[_Look],
    last: int,
    skipped: tuple[Skipped, ...],
    quality: tuple[Quality, ...],
) -> Reading:
    """Return what `last` reports say; the first of several is the average since boot."""
    series, rows = Series(), Rows("iostat")
    by_row: dict[int, dict[str, Cell]] = {}
    for look in looks:
        if last > 1 and look.report == 1:
            continue
        series.add(look.quantity, look.value, look.line, {"device": look.device} if look.device else None)
        cells = by_row.setdefault(look.line, {"report": float(look.report), "device": look.device or None})
        cells[look.quantity.fact.partition(".")[2]] = round(look.value * look.quantity.factor, 6)
    for line, cells in by_row.items():
        rows.add(line, cells)
    return Reading(facts=(*facts, *series.facts()), row_sets=rows.sets(), skipped=skipped, quality=quality)
