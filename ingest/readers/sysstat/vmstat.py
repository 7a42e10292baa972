"""`vmstat`: run queue, memory, paging, switches and CPU over time.

Examples:
    procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
     r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
    21  0      0 9163900  73936 12524068    0    0 84796  8605 2431 4402 42 24 32  1  1

The first row is the average since boot: it is left out when others follow, and remarked on when it is alone.
Rows without their header are recognised by their last columns, which add up to 100 %; all of them are looks.
Memory is KiB unless -S is set; `si`, `so` are KiB/s, `bi`, `bo` blocks of 1 KiB/s.
Source: vmstat(8), procps src/vmstat.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from ingest.model.reading import Reading
from ingest.parsing.looks import Block, facts_of, row_sets_of
from ingest.parsing.number_rows import LAST_WORD, MOST_COLUMNS, NO_TEXT, NumberTable, ends, pattern
from ingest.parsing.protocols import Start
from ingest.parsing.series import Quantity, printed_number, share
from ingest.paste.transcript import option, spanned_by, transcript

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.section import Text

NAME = "vmstat"
VERSION = 4
TITLE = "vmstat"
COMMAND = "vmstat -w 1"
EXAMPLE = (
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
    "21  0      0 9163900  73936 12524068    0    0 84796  8605 2431 4402 42 24 32  1  1"
)

_GROUPS = re.compile(r"^\s*-*procs-* -*memory-* ")
_HEAD = re.compile(r"^\s*r\s+b\s+swpd\s+free\s+(?:buff|inact)\s+(?:cache|active)\s+si\s+so\s")
_ROW = re.compile(r"^\s*\d+\s+\d+\s+\d+\s+\d+(?:\s+[\d:-]+){9,}\s*$")
_BARE = re.compile(r"^\s*\d{1,5}\s+\d{1,5}(?:\s+\d{1,12}){10}(?:\s+\d{1,3}){4,5}\s*$")
_COLUMNS = ("r", "b", "swpd", "free", "buff", "cache", "si", "so", "bi", "bo", "in", "cs")
_TIMES = ("us", "sy", "id", "wa", "st")
_STAMP = r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}[ \t]*"
"""What -t prints behind a row."""

LEAST_COLUMNS = 16
_ROUNDED = 2
"""How far rounded shares of CPU time may be from 100 %."""

_SCALES = {"k": 1000.0, "K": 1024.0, "m": 1e6, "M": 1024.0**2}
_KIB = 1024.0

QUANTITIES: Mapping[str, Quantity] = {
    "r": Quantity("sched.runnable", "count"),
    "b": Quantity("sched.blocked", "count"),
    "si": Quantity("swap.in_bytes_per_second", "per_second", _KIB),
    "so": Quantity("swap.out_bytes_per_second", "per_second", _KIB),
    "bi": Quantity("io.in_bytes_per_second", "per_second", _KIB),
    "bo": Quantity("io.out_bytes_per_second", "per_second", _KIB),
    "in": Quantity("system.interrupts_per_second", "per_second"),
    "cs": Quantity("system.context_switches_per_second", "per_second"),
    "us": share("cpu.user_share"),
    "sy": share("cpu.system_share"),
    "id": share("cpu.idle_share"),
    "wa": share("cpu.iowait_share"),
    "st": share("cpu.steal_share"),
    "gu": share("cpu.guest_share"),
}
SIZES = {
    "swpd": "swapped",
    "free": "free",
    "buff": "buffers",
    "cache": "cached",
    "inact": "inactive",
    "active": "active",
}


CONTINUES = (rf"[ \t]*[0-9]+(?:[ \t]+[0-9]+){{{LEAST_COLUMNS - 1},}}[ \t]*(?:{_STAMP})?$",)

STARTS = (
    _GROUPS.pattern,
    _HEAD.pattern,
    Start((_BARE.pattern,), near=(_BARE.pattern,), within=1),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether vmstat output starts at `lines[at]`: groups, the header alone, or two rows alone."""
    if _GROUPS.match(lines[at]) or _HEAD.match(lines[at]):
        return True
    rows = lines[at : at + 2]
    return len(rows) == 2 and all(_is_bare_row(row) for row in rows)


def _is_bare_row(line: str) -> bool:
    """Return whether a line without a header is a row: the shares of CPU time add up to 100 %."""
    if not _BARE.match(line):
        return False
    times = [int(word) for word in line.split()[len(_COLUMNS) :]]
    return abs(sum(times) - 100) <= _ROUNDED


def continues(line: str) -> bool:
    """Return whether `line` is a header or a row."""
    return bool(_GROUPS.match(line) or _HEAD.match(line) or _ROW.match(line))


def read(text: Text) -> Reading:
    """Read the means as facts and every look as a row of `vmstat`."""
    pasted = transcript(text)
    lines = pasted.texts
    columns: list[str] = []
    tables: dict[tuple[tuple[str, ...], bool], _Table] = {}
    is_bare = False
    runs = _Runs()
    at = 0
    while at < len(lines):
        names = _numbers_of(columns)
        is_stamped = len(names) < len(columns)
        is_wide = LEAST_COLUMNS <= len(names) <= MOST_COLUMNS
        end = ends(lines, at, _row(len(names), is_stamped=is_stamped)) if is_wide else at
        if end > at:
            table = tables.get((names, is_stamped))
            if table is None:
                table = tables[names, is_stamped] = _Table(names, is_stamped=is_stamped)
            table.numbers.take(lines[at:end], pasted.numbers[at:end])
            runs.add(pasted.numbers[at])
            at = end
            continue
        line, number = lines[at], pasted.numbers[at]
        at += 1
        if not line.strip() or _GROUPS.match(line):
            runs.has_gap |= not line.strip()
            continue
        if _HEAD.match(line):
            columns = line.split()
            runs.has_head = True
        elif not columns and _is_bare_row(line):
            columns, is_bare = [*_COLUMNS, *_TIMES[: len(line.split()) - len(_COLUMNS)]], True
            at -= 1
        elif cells := _odd_row(line, columns):
            key = (tuple(cells), False)
            table = tables.get(key)
            if table is None:
                table = tables[key] = _Table(key[0], is_stamped=False)
            runs.add(number)
            table.numbers.take_odd(" ".join(cells.values()), number)
        else:
            pasted.skips.add("not a row of vmstat", number)
    scale = _SCALES.get(option(pasted.command, "-S") or "", _KIB)
    blocks = [table.block(scale) for table in tables.values()]
    size = sum(block.lines.size for block in blocks)
    if size > len(runs.firsts) and not is_bare:
        for first in runs.firsts:
            pasted.skips.add("average since boot", first)
        blocks = [block.chosen(~np.isin(block.lines, runs.firsts)) for block in blocks]
    elif size == 1:
        pasted.remark(
            "since_boot", "the only row is the average since boot, not a look at now", runs.firsts[0]
        )
    return Reading(
        facts=tuple(facts_of(blocks)),
        row_sets=row_sets_of(
            "vmstat", blocks, spanned_by(pasted.command, sum(one.lines.size for one in blocks))
        ),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


class _Runs:
    """First rows of each run of vmstat: below the first head, and below heads after a blank line.

    vmstat repeats its head without one; a loop prints a date or a blank line before the next run.
    """

    def __init__(self) -> None:
        self.firsts: list[int] = []
        self.has_gap = self.has_head = False

    def add(self, line: int) -> None:
        """Note that rows begin at `line`."""
        if not self.firsts or (self.has_gap and self.has_head):
            self.firsts.append(line)
        self.has_gap = self.has_head = False


class _Table:
    """Rows below heads of equal columns, and their times."""

    def __init__(self, names: Sequence[str], *, is_stamped: bool) -> None:
        self.names = [name for name in names if name in QUANTITIES or name in SIZES]
        kept = [at for at, name in enumerate(names) if name in self.names]
        self.numbers = NumberTable(len(names), kept, text=LAST_WORD if is_stamped else NO_TEXT)
        self._is_stamped = is_stamped

    def block(self, scale: float) -> Block:
        """Return the looks; sizes of memory are in a unit of `scale` bytes."""
        found = [
            QUANTITIES.get(name) or Quantity(f"memory.{SIZES[name]}_bytes", "bytes", scale)
            for name in self.names
        ]
        beside = {"time_text": self.numbers.texts()} if self._is_stamped else {}
        lines = np.frombuffer(self.numbers.lines, dtype=np.int32)
        return Block(lines, beside, tuple(found), self.numbers.values())


def _row(width: int, *, is_stamped: bool) -> str:
    return pattern(width) + (_STAMP if is_stamped else "")


def _numbers_of(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of numbers: all but the zone of the time behind them."""
    return tuple(columns[:-1] if columns and not columns[-1].islower() else columns)


def _odd_row(line: str, columns: Sequence[str]) -> dict[str, str]:
    """Return the numbers of a row as they are read, by column; {} when a line is no row.

    It may have less columns than the head, a sign, or a decimal comma.
    """
    words = line.split()[: len(_numbers_of(columns))]
    numbers = [printed_number(word) for word in words]
    if len(words) < LEAST_COLUMNS or None in numbers or len(words) > MOST_COLUMNS:
        return {}
    return dict(zip(columns, (repr(number) for number in numbers), strict=False))
