"""`sadf -x`: looks of sar as XML, read line by line as sadf prints it.

Example:
    <timestamp date="2026-11-23" time="22:56:01" utc="1" interval="1">
            <cpu-load>
                    <cpu number="all" user="2.15" nice="0.00" system="1.84" iowait="0.12" idle="95.89"/>
            </cpu-load>
            <memory per="second" unit="kB">
                    <memfree>5220340</memfree>

An element with attributes is a row; elements with text are the cells of the row around them. Source: sysstat
xml_stats.c, sadf(1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAMES = {
    "number": "cpu",
    "cpu": "cpu",
    "line": "tty",
    "dev": "device",
    "iface": "interface",
    "intr": "irq",
    "name": "device",
    "fsname": "filesystem",
}
"""Attributes that say what a row is of, and the label."""

LEFT_OUT = frozenset(("per", "unit"))
_ROOT = re.compile(r"^\s*<sysstat\b")
_DECLARED = re.compile(r"^\s*<\?xml\b")
_INSIDE = re.compile(r"^\s*(?:<[\w/!?]|xmlns|xsi:|\"http)")
_STAMP = re.compile(r'^\s*<timestamp\s+date="(?P<date>[^"]{1,40})"\s+time="(?P<time>[^"]{1,40})"')
_ELEMENT = re.compile(
    r'^\s*<(?P<name>[a-zA-Z][\w-]{0,64})(?P<attributes>(?:\s[\w-]{1,64}="[^"]*")*)\s*(?P<end>/?)>\s*$'
)
_ATTRIBUTE = re.compile(r'(?<![\w-])([\w-]++)="([^"]*)"')
_CELL = re.compile(r"^\s*<(?P<name>[a-zA-Z][\w-]*)>(?P<value>-?\d+(?:\.\d+)?)</[\w-]+>\s*$")
_NUMBER = re.compile(r"^-?\d+(?:\.\d+)?$")


class Look(NamedTuple):
    """One row: its line, the time of the look, what it is of, and numbers by name."""

    line: int
    time: str
    labels: dict[str, str]
    cells: dict[str, float]


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether such a document starts at `lines[at]`."""
    return bool(_DECLARED.match(lines[at])) and any(_ROOT.match(line) for line in lines[at + 1 : at + 6])


def continues(line: str) -> bool:
    """Return whether `line` can occur in such a document."""
    return bool(_INSIDE.match(line))


def looks(lines: Sequence[tuple[int, str]]) -> Iterator[Look]:
    """Yield every row below a time stamp."""
    time, group = "", ""
    texts: dict[str, float] = {}
    first = 0
    for number, line in lines:
        if stamp := _STAMP.match(line):
            time = f"{stamp['date']} {stamp['time']}"
        elif time and (cell := _CELL.match(line)):
            first = first if texts else number
            texts[_column(cell["name"], "")] = float(cell["value"])
        elif time:
            if texts:
                yield Look(first, time, {}, texts)
                texts = {}
            element = _ELEMENT.match(line)
            if element is None:
                group = ""
                continue
            labels, cells = _row(element["attributes"], group)
            if cells:
                yield Look(number, time, labels, cells)
            elif not element["end"]:
                group = element["name"]


def _row(attributes: str, group: str) -> tuple[dict[str, str], dict[str, float]]:
    """Return what a row is of, and its numbers; shares are named like columns of sar."""
    labels: dict[str, str] = {}
    cells: dict[str, float] = {}
    for name, value in _ATTRIBUTE.findall(attributes):
        if name in NAMES or (name not in LEFT_OUT and not _NUMBER.match(value)):
            labels |= {NAMES.get(name, "entity"): value} if value != "all" else {}
        elif name not in LEFT_OUT:
            cells[_column(name, group)] = float(value)
    return labels, cells


def _column(name: str, group: str) -> str:
    """Return the name of a cell as a column of sar has it."""
    is_share = group == "cpu-load" or name.endswith("-percent")
    return f"%{name.removesuffix('-percent')}" if is_share else name
