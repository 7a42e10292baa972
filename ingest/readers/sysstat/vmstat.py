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

from ingest.model.reading import Reading
from ingest.parsing.protocols import Start
from ingest.parsing.series import Quantity, Rows, Series, cells_of, printed_number, share
from ingest.paste.transcript import option, transcript

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "vmstat"
VERSION = 2
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
    columns: list[str] = []
    looks: list[tuple[int, dict[str, float]]] = []
    is_bare = False
    for number, line, _ in pasted.lines:
        if not line.strip() or _GROUPS.match(line):
            continue
        if _HEAD.match(line):
            columns = line.split()
            continue
        words = line.split()
        if not columns and _is_bare_row(line):
            columns, is_bare = [*_COLUMNS, *_TIMES[: len(words) - len(_COLUMNS)]], True
        stamped = words[: len(columns) - 1] if columns and not columns[-1].islower() else words
        names = columns[: len(stamped)] if len(stamped) < len(columns) else columns
        cells = cells_of(stamped, names) if len(names) >= 16 else None
        values = {name: printed_number(cell) for name, cell in cells.items()} if cells else {}
        if values and None not in values.values():
            looks.append((number, {name: value for name, value in values.items() if value is not None}))
        else:
            pasted.skips.add("not a row of vmstat", number)
    scale = _SCALES.get(option(pasted.command, "-S") or "", _KIB)
    since_boot, now = (looks[:1], looks[1:]) if len(looks) > 1 and not is_bare else ([], looks)
    for number, _ in since_boot:
        pasted.skips.add("average since boot", number)
    if len(looks) == 1:
        pasted.remark("since_boot", "the only row is the average since boot, not a look at now", looks[0][0])
    series, rows = Series(), Rows("vmstat")
    for number, look in now:
        cells_now: dict[str, Cell] = {}
        for name, value in look.items():
            quantity = QUANTITIES.get(name)
            if quantity is None and name in SIZES:
                quantity = Quantity(f"memory.{SIZES[name]}_bytes", "bytes", scale)
            if quantity is None:
                continue
            series.add(quantity, value, number)
            cells_now[quantity.fact.partition(".")[2]] = round(value * quantity.factor, 6)
        rows.add(number, cells_now)
    return Reading(
        facts=tuple(series.facts()),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
