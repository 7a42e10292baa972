"""`dstat`, `dool` and `pcp dstat`: groups of columns over time, side by side.

Example:
    ----total-usage---- -dsk/total- -net/total- ---paging-- ---system--
    usr sys idl wai stl| read  writ| recv  send|  in   out | int   csw
      7  11  61  21   0|  18M   43M|1204B 2210B|   0     0 |4821  9833

The first row is the average since boot: it is left out when others follow, and remarked on when it is alone.
Amounts are bytes per second, their letters powers of 1024; of numbers of events powers of 1000. Kept are the
groups of the whole machine and of single disks; all others, as the most expensive process, are passed over.
Source: dstat class dstat_cpu and those after it, dool dool.py, pcp-dstat(1).
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.model.reading import Reading
from ingest.parsing.looks import Block, facts_of, row_sets_of
from ingest.parsing.number_rows import MOST_COLUMNS, NumberTable, ends, pattern
from ingest.parsing.series import Quantity, share
from ingest.paste.transcript import spanned_by, transcript

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ingest.model.section import Text

NAME = "dstat"
VERSION = 1
TITLE = "dstat, dool"
COMMAND = "dstat -cdngy --nocolor 1 10"
EXAMPLE = (
    "----total-usage---- -dsk/total- -net/total- ---paging-- ---system--\n"
    "usr sys idl wai stl| read  writ| recv  send|  in   out | int   csw \n"
    "  7  11  61  21   0|  18M   43M|1204B 2210B|   0     0 |4821  9833 "
)

_CPU = {
    "usr": share("cpu.user_share"),
    "sys": share("cpu.system_share"),
    "idl": share("cpu.idle_share"),
    "wai": share("cpu.iowait_share"),
    "hiq": share("cpu.irq_share"),
    "siq": share("cpu.softirq_share"),
    "stl": share("cpu.steal_share"),
}
_RATE = "per_second"
GROUPS: Mapping[str, Mapping[str, Quantity]] = {
    "total-usage": _CPU,
    "total-cpu-usage": _CPU,
    "procs": {"run": Quantity("sched.runnable", "count"), "blk": Quantity("sched.blocked", "count")},
    "paging": {
        "in": Quantity("swap.in_bytes_per_second", _RATE),
        "out": Quantity("swap.out_bytes_per_second", _RATE),
    },
    "dsk/total": {
        "read": Quantity("io.in_bytes_per_second", _RATE),
        "writ": Quantity("io.out_bytes_per_second", _RATE),
    },
    "system": {
        "int": Quantity("system.interrupts_per_second", _RATE),
        "csw": Quantity("system.context_switches_per_second", _RATE),
    },
    "load-avg": {
        "1m": Quantity("loadavg.1m", "count"),
        "5m": Quantity("loadavg.5m", "count"),
        "15m": Quantity("loadavg.15m", "count"),
    },
    "memory-usage": {
        "used": Quantity("free.mem.used_bytes", "bytes"),
        "free": Quantity("free.mem.free_bytes", "bytes"),
        "buff": Quantity("free.mem.buffers_bytes", "bytes"),
        "buf": Quantity("free.mem.buffers_bytes", "bytes"),
        "cach": Quantity("free.mem.cache_bytes", "bytes"),
    },
    "swap": {
        "used": Quantity("free.swap.used_bytes", "bytes"),
        "free": Quantity("free.swap.free_bytes", "bytes"),
    },
}
"""Groups of the whole machine by their title, and the facts of their columns."""

_DISK = {
    "read": Quantity("disk.read_bytes_per_second", _RATE),
    "writ": Quantity("disk.written_bytes_per_second", _RATE),
}
_UTILISATION = {"util": share("disk.util_share")}
_EVENTS = ("cpu.", "loadavg.", "sched.", "system.")
"""What is counted: the letters behind it are powers of 1000."""

_TITLE = re.compile(r"^-*[a-z0-9][a-z0-9/_.-]*$")
_KNOWN = re.compile(
    r"^-*(?:total-(?:cpu-)?usage|(?:dsk|net|io)/.*|memory-usage|load-avg|paging|procs|system|swap)-*$"
)
_HEAD = re.compile(r"^[a-z0-9#_ |:]+$")
_SEPARATORS = re.compile(r"[ |:]+")
_CELL = re.compile(r"^(?P<number>-?\d{1,15}(?:\.\d{0,6})?)(?P<unit>[BkKMGT]?)$")
_POWERS = {"": 0, "B": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4}
_PRINTED = r"-?[0-9]{1,15}(?:\.[0-9]{0,6})?[BkKMGT]?"
_THOUSANDS, _KIBIS = (
    np.array([base ** _POWERS.get(chr(letter), 0) for letter in range(256)]) for base in (1000.0, 1024.0)
)
"""By the letter behind a number: what it is multiplied with."""

_NOTE = re.compile(r"^(?:You did not select any stats|Color support is disabled|Terminal width too small)")

_TIME = r"[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"
"""The first group of `-t`."""

CONTINUES = (rf"[ \t]*(?:{_TIME}|{_PRINTED})(?:[ |:].*)?$",)
STARTS = (_NOTE.pattern, r"\s*-{1,20}[a-z0-9][a-z0-9/_.-]*-*(?:[\s|]|$)")


class _Column(NamedTuple):
    """Where a value goes: the fact of a column, and whose it is."""

    quantity: Quantity
    labels: Mapping[str, str]


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the note about default columns or the titles of groups are at `lines[at]`."""
    if _NOTE.match(lines[at]):
        return True
    if not _is_titles(lines[at]) or at + 1 == len(lines) or not _is_head(lines[at + 1]):
        return False
    # vmstat has such titles, too, but no bars between the columns of two groups.
    return len(_titles(lines[at])) == 1 or bool({"|", ":"}.intersection(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` is of a table: titles, the names of columns, or values between bars."""
    if _NOTE.match(line) or _is_titles(line) or _is_head(line):
        return True
    return any(_CELL.match(word) for word in _SEPARATORS.split(line))


def read(text: Text) -> Reading:
    """Read the means as facts and every look of the machine as a row of `dstat`."""
    pasted = transcript(text)
    lines = pasted.texts
    titles: list[str] = []
    tables: dict[tuple[str, ...], _Table] = {}
    table: _Table | None = None
    at = 0
    while at < len(lines):
        end = ends(lines, at, table.row) if table and table.row else at
        if table and end > at:
            table.take(lines[at:end], pasted.numbers[at:end])
            at = end
            continue
        line, number = lines[at], pasted.numbers[at]
        at += 1
        if not line.strip() or _NOTE.match(line):
            continue
        if _is_titles(line):
            titles = _titles(line)
        elif titles and _is_head(line):
            head = (*titles, line.rstrip())
            table = tables.get(head) or tables.setdefault(head, _table(_columns(titles, line)))
        elif table and (cells := _odd_row(table, line)):
            table.numbers.take([" ".join(cells)], [number])
        else:
            pasted.skips.add("not a row of dstat", number)
    blocks = [block for table in tables.values() for block in _blocks(table)]
    found = sorted({line for table in tables.values() for line in table.numbers.lines})
    if len(found) == 1:
        pasted.remark("since_boot", "the only row is the average since boot, not a look at now", found[0])
    elif found:
        pasted.skips.add("average since boot", found[0])
        blocks = [block.chosen(block.lines > found[0]) for block in blocks]
    return Reading(
        facts=tuple(facts_of(blocks, "device")),
        row_sets=row_sets_of(
            "dstat",
            [block for block in blocks if not block.label],
            spanned_by(pasted.command, max(1, len(found) - 1)),
        ),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


class _Table(NamedTuple):
    """Rows below heads of equal columns, and their lines.

    Attributes:
        columns: Those of each group.
        row: What a row with all cells looks like, "" where there is none.
        passed: Groups at the left whose text is passed over: the time.
        kept: The columns of all other groups.
    """

    columns: list[list[_Column | None]]
    row: str
    numbers: NumberTable
    passed: int
    kept: list[_Column | None]

    def take(self, rows: Sequence[str], lines: Sequence[int]) -> None:
        """Take rows with all cells."""
        at = self.passed
        self.numbers.take([row.split("|", at)[at] for row in rows] if at else rows, lines)


def _table(columns: list[list[_Column | None]]) -> _Table:
    passed = next((at for at, names in enumerate(columns) if any(names)), 0)
    kept = [column for names in columns[passed:] for column in names]
    groups = [
        *(r"[^|]*" for _ in range(passed)),
        *(pattern(len(names), _PRINTED) for names in columns[passed:]),
    ]
    is_regular = 0 < len(kept) <= MOST_COLUMNS and all(columns)
    row = r"\|".join(groups) + r"[| ]*" if is_regular else ""
    factors = [_factors(column) for column in kept]
    numbers = NumberTable(len(kept), factors=np.array(factors).T if factors else None)
    return _Table(columns, row, numbers, passed, kept)


def _factors(column: _Column | None) -> NDArray[np.float64]:
    """Return by the letter behind a number what it is multiplied with."""
    return _THOUSANDS if column and column.quantity.fact.startswith(_EVENTS) else _KIBIS


def _blocks(table: _Table) -> list[Block]:
    """Return the looks of the machine, and those of each device."""
    columns = table.kept
    values, lines = table.numbers.values(), np.frombuffer(table.numbers.lines, dtype=np.int32)
    labels = dict.fromkeys(column.labels.get("device", "") for column in columns if column)
    blocks = []
    for label in labels:
        own = {at: one for at, one in enumerate(columns) if one and one.labels.get("device", "") == label}
        quantities = tuple(one.quantity for one in own.values())
        blocks.append(Block(lines, {}, quantities, values[:, list(own)], label, tuple(own)))
    return blocks


def _is_titles(line: str) -> bool:
    """Return whether a line holds the titles of groups, between dashes, one of which is known."""
    titles = _titles(line)
    return any("-" in title and _KNOWN.match(title) for title in titles) and all(
        "-" in title and _TITLE.match(title) for title in titles
    )


def _titles(line: str) -> list[str]:
    """Return the titles of groups, between which dool prints bars."""
    return line.replace("|", " ").split()


def _is_head(line: str) -> bool:
    """Return whether a line holds the names of columns: two words or more between bars, none a number."""
    if not _HEAD.match(line):
        return False
    names = [word for word in _SEPARATORS.split(line) if word]
    return len(names) > 1 and not any(_CELL.match(name) for name in names)


def _columns(titles: Sequence[str], line: str) -> list[list[_Column | None]]:
    """Return the columns of each group; none when the names are not of as many groups as titles."""
    groups = [group.split() for group in line.replace(":", "|").rstrip("| ").split("|")]
    if len(groups) != len(titles):
        return []
    return [
        [_column(title.strip("-"), name) for name in names]
        for title, names in zip(titles, groups, strict=True)
    ]


def _column(title: str, name: str) -> _Column | None:
    """Return where the values of a column go, None for one that is passed over."""
    if title in GROUPS:
        quantity, labels = GROUPS[title].get(name), {}
    elif title.startswith("dsk/"):
        quantity, labels = _DISK.get(name), {"device": title.removeprefix("dsk/")}
    else:
        quantity, labels = _UTILISATION.get(name), {"device": title}
    return _Column(quantity, labels) if quantity else None


def _odd_row(table: _Table, line: str) -> list[str]:
    """Return the numbers of a row as they are read, `nan` for a group with other cells than columns.

    There is none when the line has not as many groups as the head, or no number that goes somewhere.
    """
    groups = line.rstrip("| ").split("|")
    if len(groups) != len(table.columns):
        return []
    found: list[str] = []
    for names, group in zip(table.columns[table.passed :], groups[table.passed :], strict=True):
        cells = group.split()
        pairs = zip(names, cells, strict=True) if len(cells) == len(names) else ((None, "") for _ in names)
        found += [repr(_number(column.quantity.fact, cell)) if column else "nan" for column, cell in pairs]
    return found if any(cell != "nan" for cell in found) else []


def _number(fact: str, cell: str) -> float:
    """Return what a cell prints: events by powers of 1000, bytes by powers of 1024; NaN for no number."""
    found = _CELL.match(cell)
    if found is None:
        return math.nan
    base = 1000.0 if fact.startswith(_EVENTS) else 1024.0
    return float(found["number"]) * base ** _POWERS[found["unit"]]
