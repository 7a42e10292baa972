"""`iostat`: CPU shares and block devices over time; as tables (-x, -s, -h, --pretty, --dec) and as JSON.

Examples:
    avg-cpu:  %user   %nice %system %iowait  %steal   %idle
              32.64    9.45   24.29    0.56    0.65   32.41

    Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s  …  aqu-sz  %util
    vda            138.06  24902.84    22.33  13.92    6.44   180.38  128.38  16243.89  …    1.27  10.44

The first report is the average since boot: it is left out when another follows, and remarked on when alone.
One report of a command with an interval, without the line of the host above it, is one of a longer run.
Source: sysstat iostat.c; iostat(1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import Reading
from ingest.parsing import sysstat_json
from ingest.parsing.documents import mapping, number, objects
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
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.facts import Fact
    from ingest.model.reading import Cell, Quality, Skipped
    from ingest.model.section import Text
    from ingest.paste.transcript import Line

NAME = "iostat"
VERSION = 3
TITLE = "iostat"
COMMAND = "iostat -x 1"
EXAMPLE = (
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
    "          32.64    9.45   24.29    0.56    0.65   32.41"
)

_NUMBER = r"\d+(?:[.,]\d\d?)?"
_CPU_HEAD = re.compile(r"^avg-cpu:\s+(?P<columns>%user\s.*%idle)\s*$")
_CPU_ROW = re.compile(rf"^\s*{_NUMBER}%?(?:\s+{_NUMBER}%?){{5}}\s*$")
_COLUMNS = r"(?P<columns>(?:tps|rrqm/s|r/s|w/s|d/s|f/s|%rrqm)\s.*\S)"
_HEAD = re.compile(rf"^(?:Device:?|Disk)\s+{_COLUMNS}\s*$")
_PRETTY_HEAD = re.compile(rf"^\s+{_COLUMNS}\s+Device\s*$")
_DEVICE = r"(?P<device>/?[a-zA-Z][\w.!/-]*)"
_VALUE = rf"{_NUMBER}[%kMGT]?"
_ROW = re.compile(rf"^{_DEVICE}\s+(?P<cells>{_VALUE}(?:\s+{_VALUE}){{3,}})\s*$")
_PRETTY_ROW = re.compile(rf"^\s+(?P<cells>{_VALUE}(?:\s+{_VALUE}){{3,}})\s+{_DEVICE}\s*$")
_HEAD_REST = re.compile(
    r"^\s*(?:(?:tps|[rwdf]/s|[rwd]rqm/s|[rwd]?(?:kB|MB|sec)/s|%[rwd]rqm|(?:[rwdf]_)?await|[rwd]areq-sz"
    r"|(?:aqu|avgqu|avgrq)-sz|svctm|%util|(?:kB|MB|Blk)_\S+)(?:\s+|$))+$"
)
_LONE_DEVICE = re.compile(r"^(?=\S{12})/?[a-zA-Z][\w.!/-]*\w\s*$")
"""A name that is too long for its column: its values are in the next line."""

_ROW_BELOW = re.compile(rf"^\s+{_VALUE}(?:\s+{_VALUE}){{3,}}\s*$")
_ROW_REST = re.compile(rf"^{_VALUE}(?:\s+{_VALUE})*\s*$")
_STAMP = re.compile(
    r"^(?:\d\d?[/.-]\d\d?[/.-]\d{2,4}\s+\d\d?:\d\d:\d\d(?: [AP]M)?|\d{4}-\d\d-\d\dT[\d:]+(?:[+-]\d{4})?)\s*$"
)
_HUMAN = {"k": 1.0, "M": 1024.0, "G": 1024.0**2, "T": 1024.0**3}
"""Kilobytes of the units that -h prints behind a value."""

_UNIT_FACTORS = {"kB": 1024.0, "MB": 1024.0**2, "Blk": 512.0, "sec": 512.0}
_BYTES = re.compile(
    r"^(?P<kind>r|w|d)?(?P<unit>kB|MB|sec)/s$|^(?P<old_unit>kB|MB|Blk)_(?P<old>read|wrtn|dscd|w\+d)/s$"
)
_KINDS: Mapping[str | None, str] = {
    "r": "read",
    "w": "written",
    "d": "discarded",
    "read": "read",
    "wrtn": "written",
    "dscd": "discarded",
    "w+d": "written_or_discarded",
    None: "transferred",
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


_JSON_COLUMNS = {"util": "%util"}
"""Columns of JSON that have another name in the tables."""


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


STARTS = (
    BANNER.pattern,
    r'\{\s*"sysstat"',
    "avg-cpu:",
    r"(?:Device:?|Disk)\s",
    _PRETTY_HEAD.pattern,
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether iostat output starts at `lines[at]`: a header, or the host line above one."""
    line = lines[at]
    if BANNER.match(line):
        return any(map(_is_head, lines[at + 1 : at + 5]))
    if sysstat_json.begins(line):
        return sysstat_json.tool_of(lines, at) == NAME
    return _is_head(line)


def _is_head(line: str) -> bool:
    return bool(_CPU_HEAD.match(line) or _HEAD.match(line) or _PRETTY_HEAD.match(line))


def continues(line: str) -> bool:
    """Return whether `line` is a header, a row or the time of a report."""
    shapes = (_CPU_ROW, _ROW, _PRETTY_ROW, _STAMP, _HEAD_REST, _ROW_REST, _LONE_DEVICE, _ROW_BELOW, BANNER)
    return _is_head(line) or any(shape.match(line) for shape in shapes) or sysstat_json.continues(line)


def read(text: Text) -> Reading:
    """Read the means of all reports but the first as facts, and every report as rows of `iostat`."""
    pasted = transcript(text)
    facts: list[Fact] = []
    looks: list[_Look] = []
    cpu_columns: list[str] = []
    columns: list[str] = []
    reports = {"cpu": 0, "disk": 0}
    tables: set[str] = set()
    document: list[tuple[int, str]] = []
    for line_number, line in _unwrapped(pasted.lines):
        if document or sysstat_json.begins(line):
            document.append((line_number, line))
        elif not line.strip() or _STAMP.match(line):
            continue
        elif stated := banner_facts(line, line_number):
            facts.extend(stated)
        elif head := _CPU_HEAD.match(line):
            cpu_columns = head["columns"].split()
            reports["cpu"] += 1
        elif head := _HEAD.match(line) or _PRETTY_HEAD.match(line):
            columns = head["columns"].split()
            # --pretty prints the columns of one report as several tables.
            if not tables or head["columns"] in tables:
                reports["disk"] += 1
                tables.clear()
            tables.add(head["columns"])
        elif _CPU_ROW.match(line) and (cells := cells_of(line.split(), cpu_columns)):
            looks += [
                _Look(reports["cpu"], line_number, CPU_SHARES[column], value, "")
                for column, cell in cells.items()
                if column in CPU_SHARES and (value := _printed(cell)) is not None
            ]
        elif (row := _ROW.match(line) or _PRETTY_ROW.match(line)) and (
            cells := cells_of(row["cells"].split(), columns)
        ):
            looks += [
                _Look(reports["disk"], line_number, quantity, value, row["device"])
                for column, cell in cells.items()
                if (quantity := quantity_of(column)) and (value := _printed(cell)) is not None
            ]
        else:
            pasted.skips.add("not a row of iostat", line_number)
    if document:
        reports["disk"] = _read_json(document, facts, looks)
        if not reports["disk"]:
            pasted.skips.add("not the JSON of iostat, or cut off", document[0][0], len(document))
    last = max(reports.values())
    if last == 1 and looks:
        is_of_run = not facts and _repeats(pasted.command)
        since_boot = ("since_boot", "the only report is the average since boot, not a look at now")
        pasted.remark(*(("few_samples", "one report of a run") if is_of_run else since_boot), looks[0].line)
    return _reading(facts, looks, last, pasted.skips.result(), tuple(pasted.quality))


def _repeats(command: str) -> bool:
    """Return whether a command prints more than one report: it ends with an interval, and no count of 1."""
    *_, before, last = ("", "", *command.split())
    return last.isdecimal() and not (before.isdecimal() and last == "1")


def _unwrapped(lines: Sequence[Line]) -> Iterator[tuple[int, str]]:
    """Yield line numbers and lines; heads and rows that a mailer or a long name wrapped are one again.

    A page may break the table instead: the rest of the head stands below the row, that of the row below it.
    """
    whole: list[tuple[int, str]] = []
    is_wrapped = is_broken = False
    for line_number, line, _ in lines:
        above = whole[-1][1] if whole else ""
        if len(whole) > 1 and _ROW.match(above):
            head_line, head = whole[-2]
            if _HEAD.match(head) and _HEAD_REST.match(line):
                whole[-2], is_broken = (head_line, f"{head.rstrip()} {line.strip()}"), True
                continue
            if is_broken and _ROW_REST.match(line):
                whole[-1], is_broken = (whole[-1][0], f"{above.rstrip()} {line.strip()}"), False
                continue
        if _HEAD.match(above) and _HEAD_REST.match(line):
            is_wrapped = True
        elif not (
            (is_wrapped and _ROW.match(above) and _ROW_REST.match(line))
            or (_LONE_DEVICE.match(above) and _ROW_BELOW.match(line))
        ):
            whole.append((line_number, line))
            continue
        whole[-1] = (whole[-1][0], f"{above.rstrip()} {line.strip()}")
    yield from whole


def _printed(cell: str) -> float | None:
    """Return a value of a table; those of -h have their unit behind them."""
    value = printed_number(cell.rstrip("%kMGT"))
    return value if value is None else value * _HUMAN.get(cell[-1], 1.0)


def _read_json(document: Sequence[tuple[int, str]], facts: list[Fact], looks: list[_Look]) -> int:
    """Read `-o JSON`; return the number of reports, 0 when it is no such document."""
    cpu, disk = (sysstat_json.Citations(document, key) for key in ("avg-cpu", "disk_device"))
    reports = 0
    for host in sysstat_json.hosts(document):
        facts.extend(sysstat_json.host_facts(host, document))
        for report in objects(host.get("statistics")):
            reports += 1
            if shares := mapping(report.get("avg-cpu")):
                line = cpu.next()
                looks += [
                    _Look(reports, line, CPU_SHARES[f"%{name}"], number(value), "")
                    for name, value in shares.items()
                    if f"%{name}" in CPU_SHARES
                ]
            for device in objects(report.get("disk")):
                line = disk.next()
                looks += [
                    _Look(reports, line, quantity, number(value), str(device.get("disk_device")))
                    for name, value in device.items()
                    if name != "disk_device" and (quantity := quantity_of(_JSON_COLUMNS.get(name, name)))
                ]
    return reports


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
