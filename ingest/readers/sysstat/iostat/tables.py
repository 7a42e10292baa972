"""The tables of `iostat` by their heads: rows of the CPUs and of devices become looks."""

from __future__ import annotations

import math
import re
from array import array
from functools import lru_cache
from itertools import compress, islice
from typing import TYPE_CHECKING

import numpy as np

from ingest.model.row_columns import NO_WORD, Numbers, Words
from ingest.native.line_starts import LineKinds
from ingest.parsing.looks import Block
from ingest.parsing.number_rows import (
    AT_ONCE,
    FIRST_WORD,
    MOST_COLUMNS,
    NO_TEXT,
    NumberTable,
    ends,
    pattern,
)
from ingest.parsing.series import CPU_SHARES, printed_number
from ingest.readers.sysstat.iostat.columns import quantity_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ingest.model.facts import Fact
    from ingest.model.reading import Cell

_NUMBER = r"\d+(?:[.,]\d\d?)?"
_DECIMAL = r"[0-9]{1,15}(?:[.,][0-9][0-9]?)?"
CPU_HEAD = re.compile(r"^avg-cpu:\s+(?P<columns>%user\s.*%idle)\s*$")
CPU_ROW = re.compile(rf"^\s*{_NUMBER}%?(?:\s+{_NUMBER}%?){{5}}\s*$")
DEVICE_NAME = r"/?[a-zA-Z][A-Za-z0-9_.!/-]*[ \t]"
_COLUMNS = r"(?P<columns>(?:tps|rrqm/s|r/s|w/s|d/s|f/s|%rrqm)\s.*\S)"
DEVICE_HEAD = re.compile(rf"^(?:Device:?|Disk)\s+{_COLUMNS}\s*$")
PRETTY_HEAD = re.compile(rf"^\s+{_COLUMNS}\s+Device\s*$")
_DEVICE = r"(?P<device>/?[a-zA-Z][\w.!/-]*)"
VALUE = rf"{_NUMBER}[%kMGT]?"
ROW = re.compile(rf"^{_DEVICE}\s+(?P<cells>{VALUE}(?:\s+{VALUE}){{3,}})\s*$")
PRETTY_ROW = re.compile(rf"^\s+(?P<cells>{VALUE}(?:\s+{VALUE}){{3,}})\s+{_DEVICE}\s*$")
HEAD_REST = re.compile(
    r"^\s*(?:(?:tps|[rwdf]/s|[rwd]rqm/s|[rwd]?(?:kB|MB|sec)/s|%[rwd]rqm|(?:[rwdf]_)?await|[rwd]areq-sz"
    r"|(?:aqu|avgqu|avgrq)-sz|svctm|%util|(?:kB|MB|Blk)_\S+)(?:\s+|$))+$"
)
LONE_DEVICE = re.compile(r"^(?=\S{12})/?[a-zA-Z][\w.!/-]*\w\s*$")
"""A name that is too long for its column: its values are in the next line."""

DEVICE_ALONE = re.compile(r"^/?[a-zA-Z][\w.!/-]*\s*$")
ROW_BELOW = re.compile(rf"^\s+{VALUE}(?:\s+{VALUE}){{3,}}\s*$")
ROW_REST = re.compile(rf"^{VALUE}(?:\s+{VALUE})*\s*$")
STAMP = re.compile(
    r"^(?:\d\d?[/.-]\d\d?[/.-]\d{2,4}\s+\d\d?:\d\d:\d\d(?: [AP]M)?|\d{4}-\d\d-\d\dT[\d:]+(?:[+-]\d{4})?)\s*$"
)
_HUMAN = {"k": 1.0, "M": 1024.0, "G": 1024.0**2, "T": 1024.0**3}
"""Kilobytes of the units that -h prints behind a value."""

_FACTORS = np.array([_HUMAN.get(chr(letter), 1.0) for letter in range(256)])


class _Table:
    """Rows below heads of equal columns; `device` "" stands for the CPUs.

    Attributes:
        quantities: Those of the columns that are kept.
        row: What a whole row looks like.
        numbers: The cells.
    """

    def __init__(self, columns: Sequence[str], *, is_cpu: bool, has_units: bool) -> None:
        found = [CPU_SHARES.get(name) if is_cpu else quantity_of(name) for name in columns]
        self.quantities = tuple(quantity for quantity in found if quantity)
        cell = rf"{_DECIMAL}[%kMGT]?" if has_units else _DECIMAL
        self.row = pattern(len(columns), cell) if is_cpu else rf"{DEVICE_NAME}{pattern(len(columns), cell)}"
        factors = np.tile(_FACTORS[:, None], (1, len(columns))) if has_units else None
        kept = [at for at, quantity in enumerate(found) if quantity]
        text = NO_TEXT if is_cpu else FIRST_WORD
        self.numbers = NumberTable(len(columns), kept, factors, text)
        self._is_cpu = is_cpu
        self._held: list[str] = []
        self._held_lines = array("i")
        self._reports, self._times = array("d"), array("i")
        self._known_times: dict[str, int] = {"": NO_WORD}

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._reports)

    def take(self, row: str, line: int, report: int, device: str | None, time: str) -> None:
        """Take the cells of one row."""
        self._release()
        self.numbers.take_odd(row, line, device)
        self._note(1, report, time)

    def take_whole(self, rows: list[str], lines: array[int], report: int, time: str) -> None:
        """Take rows of one report with their devices; those of many small reports are read together."""
        self._held += rows
        self._held_lines += lines
        self._note(len(rows), report, time)
        if len(self._held) > AT_ONCE:
            self._release()

    def take_many(
        self, rows: list[str], lines: NDArray[np.int32], reports: NDArray[np.int32], times: Sequence[str]
    ) -> None:
        """Take rows of many reports, R of each, with what stands above each report."""
        self._release()
        self.numbers.take(rows, array("i", lines.tobytes()))
        self._reports.frombytes(reports.astype(np.float64).tobytes())
        self._times.extend(map(self._number_of, times))

    def _note(self, count: int, report: int, time: str) -> None:
        self._reports.extend((float(report),) * count)
        self._times.extend((self._number_of(time),) * count)

    def _number_of(self, time: str) -> int:
        return self._known_times.setdefault(time, len(self._known_times) - 1)

    def _release(self) -> None:
        """Read the rows that are held."""
        self.numbers.take(self._held, self._held_lines)
        self._held, self._held_lines = [], array("i")

    def block(self) -> Block:
        """Return the looks."""
        self._release()
        lines = np.frombuffer(self.numbers.lines, dtype=np.int32)
        beside: dict[str, Sequence[Cell]] = {"report": Numbers(self._reports)}
        none = array("i", (NO_WORD,)) * len(self)
        beside["device"] = Words(none, ()) if self._is_cpu else self.numbers.texts()
        if len(self._known_times) > 1:
            beside["time_text"] = Words(self._times, tuple(self._known_times)[1:])
        return Block(lines, beside, self.quantities, self.numbers.values())


class Tables:
    """The tables of a section, by their heads.

    Attributes:
        facts: What the line of the host states.
        reports: Reports of the CPUs and of the devices so far.
        time: What stands above the last report.
    """

    def __init__(self) -> None:
        """Begin above the first head."""
        self.facts: list[Fact] = []
        self.reports = {"cpu": 0, "disk": 0}
        self.time = ""
        self._known: dict[tuple[str, tuple[str, ...], bool], _Table] = {}
        self._heads: dict[str, tuple[str, str]] = {}
        self._columns: dict[str, tuple[str, ...]] = {"cpu": (), "disk": ()}
        self._seen: set[str] = set()
        self._last: dict[str, str] = {}
        self._current: dict[str, tuple[_Table, _Table]] = {}
        self._tried = 0

    def begins(self, line: str) -> bool:
        """Return whether a line is the head of a table, which then is the one that rows follow."""
        found = CPU_HEAD.match(line)
        kind = "cpu" if found else "disk"
        found = found or DEVICE_HEAD.match(line) or PRETTY_HEAD.match(line)
        if found:
            self._heads[line] = (kind, found["columns"])
        return self.is_head(line)

    def is_head(self, line: str) -> bool:
        """Return whether a line is a head that was met before; then it is the one that rows follow."""
        if line not in self._heads:
            return False
        kind, columns = self._heads[line]
        if columns != self._last.get(kind):
            self._columns[kind], self._last[kind] = tuple(columns.split()), columns
            self._current.pop(kind, None)
        # --pretty prints the columns of one report as several tables.
        if kind == "cpu":
            self.reports["cpu"] += 1
        elif not self._seen or columns in self._seen:
            self.reports["disk"] += 1
            self._seen.clear()
        self._seen.update([columns] if kind == "disk" else ())
        return True

    def stretch(self, lines: list[str], at: int, numbers: array[int]) -> int:
        """Take the reports from the head `lines[at]` on that look like those before; return the index behind.

        What is of no known shape ends the stretch; where that is soon, the next lines are taken one by one.
        """
        heads = self._heads
        is_known = lines[at] in heads and all(
            columns == self._last.get(kind) and len(self._columns[kind]) <= MOST_COLUMNS
            for kind, columns in heads.values()
        )
        if at < self._tried or len(lines) - at < AT_ONCE or not is_known:
            return at
        known = sorted({kind for kind, _ in heads.values()})
        tables = [(kind, one) for kind in known for one in self._tables_of(kind)]
        # Numbers without a device below them are of the CPUs only behind a blank.
        rows = tuple(rf"[ \t]{one.row}$" if kind == "cpu" else f"{one.row}$" for kind, one in tables)
        found = np.frombuffer(_kinds(tuple(heads), rows).kinds(lines, at), dtype=np.uint8)
        end = at + len(found)
        self._tried = end + (0 if len(found) >= AT_ONCE else AT_ONCE)
        reports = {}
        for kind in self.reports:
            kinds = [number for number, (one, _) in enumerate(heads.values(), 1) if one == kind]
            reports[kind] = self.reports[kind] + np.cumsum(np.isin(found, kinds), dtype=np.int32)
            self.reports[kind] = int(reports[kind][-1])
        stamp = len(heads) + 1
        stamps = np.flatnonzero(found == stamp)
        times = [self.time, *(lines[at + int(place)].strip() for place in stamps)]
        above = np.searchsorted(stamps, np.arange(len(found)))
        cited = np.frombuffer(numbers, dtype=np.int32)[at:end]
        for number, (kind, one) in enumerate(tables, stamp + 2):
            is_row = found == number
            texts = list(compress(islice(lines, at, end), is_row.tobytes()))
            one.take_many(
                texts, cited[is_row], reports[kind][is_row], [times[place] for place in above[is_row]]
            )
        self.time = times[-1]
        self._seen.update(columns for kind, columns in heads.values() if kind == "disk")
        return end

    def rows(self, lines: list[str], at: int, numbers: array[int]) -> int:
        """Take the whole rows from `lines[at]` on; return the index behind them."""
        for kind in ("cpu", "disk") if lines[at][0].isspace() else ("disk",):
            if not 0 < len(self._columns[kind]) <= MOST_COLUMNS:
                continue
            for table in self._tables_of(kind):
                end = ends(lines, at, table.row)
                if end > at:
                    table.take_whole(lines[at:end], numbers[at:end], self.reports[kind], self.time)
                    return end
        return at

    def _tables_of(self, kind: str) -> tuple[_Table, _Table]:
        """Return the tables below the last head: of plain numbers, and of numbers with units."""
        if kind not in self._current:
            self._current[kind] = (
                self._table(kind, has_units=False),
                self._table(kind, has_units=True),
            )
        return self._current[kind]

    def is_odd_row(self, line: str, number: int) -> bool:
        """Take a row with the device behind it, or of other cells; return whether it is one."""
        cpu, row = CPU_ROW.match(line), ROW.match(line) or PRETTY_ROW.match(line)
        cells = line.split() if cpu else row["cells"].split() if row else []
        kind = "cpu" if cpu and len(cells) == len(self._columns["cpu"]) else "disk"
        if not cells or len(cells) != len(self._columns[kind]) or (kind == "disk" and not row):
            return False
        self.take(
            kind, dict(zip(self._columns[kind], cells, strict=True)), number, row["device"] if row else ""
        )
        return True

    def take(self, kind: str, cells: Mapping[str, str], line: int, device: str) -> None:
        """Take the cells of one row."""
        self._columns[kind] = tuple(cells)
        self._last.pop(kind, None)
        self._current.pop(kind, None)
        numbers = [repr(math.nan if (value := _printed(cell)) is None else value) for cell in cells.values()]
        self._table(kind, has_units=False).take(
            " ".join(numbers), line, self.reports[kind], device or None, self.time
        )

    def _table(self, kind: str, *, has_units: bool) -> _Table:
        key = (kind, self._columns[kind], has_units)
        if key not in self._known:
            self._known[key] = _Table(key[1], is_cpu=kind == "cpu", has_units=has_units)
        return self._known[key]

    def blocks(self) -> list[Block]:
        """Return the looks of all tables."""
        return [table.block() for table in self._known.values() if len(table)]


@lru_cache(maxsize=16)
def _kinds(heads: tuple[str, ...], rows: tuple[str, ...]) -> LineKinds:
    """Return what tells heads, stamps, blank lines and rows apart, in this order."""
    return LineKinds(heads, (STAMP.pattern, r"\s*$", *rows))


def _printed(cell: str) -> float | None:
    """Return a value of a table; those of -h have their unit behind them."""
    value = printed_number(cell.rstrip("%kMGT"))
    return value if value is None else value * _HUMAN.get(cell[-1], 1.0)
