"""`atopsar`: looks at CPU, memory, disks and network over time, as atop records them.

Example:
    vm  6.18.44  #1 SMP PREEMPT_DYNAMIC @0  x86_64  2026/11/24
    -------------------------- analysis date: 2026/11/24 --------------------------
    01:58:39  cpu  %usr %nice %sys %irq %softirq  %steal %guest  %wait %idle  _cpu_
    01:58:42  all    52    97   31    0        0      19      0      0     0
                0     8    66   10    0        0      14      0      0     0

The last word of a head names the table, sometimes without a blank (`maxmbps_if_`). Shares of `all` are sums
over CPUs: they are divided by their number. Quantities that sar and `/proc` have are facts under the same
names; all others stay rows of a set `atopsar:<table>`, as `thrslpu`, which counts idle threads of the kernel
too. Lists of processes (`-O`, `-G`) are not read.
Source: atop atopsar.c; atopsar(1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.protocols import Start
from ingest.parsing.series import Quantity, Rows, Series, plain_name, share, spanned
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "atopsar"
VERSION = 1
TITLE = "atopsar"
COMMAND = "atopsar -c -d 1"
EXAMPLE = (
    "01:58:39  cpu  %usr %nice %sys %irq %softirq  %steal %guest  %wait %idle  _cpu_\n"
    "01:58:42  all    52    97   31    0        0      19      0      0     0"
)

_MIB = 1024.0 * 1024.0
_RATE = "per_second"
ENTITIES = {"cpu": "cpu", "disk": "device", "interf": "interface"}
_BUSY = {"busy": share("disk.util_share")}
QUANTITIES: Mapping[str, Mapping[str, Quantity]] = {
    "cpu": {
        "%usr": share("cpu.user_share"),
        "%nice": share("cpu.nice_share"),
        "%sys": share("cpu.system_share"),
        "%irq": share("cpu.irq_share"),
        "%softirq": share("cpu.softirq_share"),
        "%steal": share("cpu.steal_share"),
        "%guest": share("cpu.guest_share"),
        "%wait": share("cpu.iowait_share"),
        "%idle": share("cpu.idle_share"),
    },
    "load": {
        "pswch/s": Quantity("sar.cswch_per_second", _RATE),
        "loadavg1": Quantity("loadavg.1m", "count"),
        "loadavg5": Quantity("loadavg.5m", "count"),
        "loadavg15": Quantity("loadavg.15m", "count"),
    },
    "procthr": {"thrrun": Quantity("sar.runq_sz", "count")},
    "mem": {
        "memtotal": Quantity("free.mem.total_bytes", "bytes", _MIB),
        "memfree": Quantity("free.mem.free_bytes", "bytes", _MIB),
        "buffers": Quantity("free.mem.buffers_bytes", "bytes", _MIB),
        "cached": Quantity("free.mem.cache_bytes", "bytes", _MIB),
        "swptotal": Quantity("free.swap.total_bytes", "bytes", _MIB),
        "swpfree": Quantity("free.swap.free_bytes", "bytes", _MIB),
    },
    "swap": {
        "swapin/s": Quantity("sar.pswpin_per_second", _RATE),
        "swapout/s": Quantity("sar.pswpout_per_second", _RATE),
    },
    "dsk": _BUSY,
    "lvm": _BUSY,
    "mdd": _BUSY,
    "if": {
        "ierr/s": Quantity("sar.rxerr_per_second", _RATE),
        "oerr/s": Quantity("sar.txerr_per_second", _RATE),
        "idrop/s": Quantity("sar.rxdrop_per_second", _RATE),
        "odrop/s": Quantity("sar.txdrop_per_second", _RATE),
    },
    "tcp": {"retrans/s": Quantity("sar.retrans_per_second", _RATE)},
}
OOM_KILLS = "oomkill"

_TABLE = "[a-z][a-z0-9]{1,8}"
_STAMP = r"(?P<time>\d\d:\d\d:\d\d)"
_BANNER = Pattern(r"^\s*(?P<host>[\w.-]+)  (?P<release>\S+)  #\S.*  (?P<machine>\w+)  \d{4}/\d\d/\d\d\s*$")
_DATE = re.compile(r"^\s*-{5,80} analysis date: \d{4}/\d\d/\d\d -{5,80}\s*$")
_HEAD = Pattern(rf"^\s*{_STAMP}\s+(?P<columns>\S.*?)\s*_(?P<table>{_TABLE})_\s*$")
_PRESSURE = re.compile(rf"^\s*{_STAMP}\s+(?P<columns>cpusome\s+memsome\s+memfull\s+iosome\s+iofull)\s*$")
"""The one head without a name."""

_ROW = Pattern(rf"^\s*(?:{_STAMP}(?:\s+|$))?(?P<cells>\S.*?)?\s*$")
_CELL = Pattern(r"^(?P<number>-?\d{1,15}(?:\.\d+)?)(?P<unit>[KMGT%]?)$")
_SCALES = {"K": 1 / 1024, "M": 1.0, "G": 1024.0, "T": 1024.0**2}

STARTS = (
    rf"\s*\d\d:\d\d:\d\d\s.*_{_TABLE}_\s*$",
    _DATE.pattern,
    _PRESSURE.pattern,
    Start((r"\s*[\w.-]+  \S+  #",), near=(_DATE.pattern,), within=3),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the host, the date or the head of a table is at `lines[at]`."""
    line = lines[at]
    if _HEAD.match(line) or _DATE.match(line) or _PRESSURE.match(line):
        return True
    return bool(_BANNER.match(line)) and any(_DATE.match(ahead) for ahead in lines[at + 1 : at + 4])


def continues(line: str) -> bool:
    """Return whether `line` can occur in such output."""
    if _HEAD.match(line) or _DATE.match(line) or _BANNER.match(line):
        return True
    row = _ROW.match(line)
    return bool(row and any(_CELL.match(cell) for cell in (row["cells"] or "").split()[1:]))


class _Tables:
    """The tables of one text, and the look at one of them that is open."""

    def __init__(self) -> None:
        self.series = Series()
        self.rows: dict[str, Rows] = {}
        self.kills: list[tuple[float, int]] = []
        self.times: list[str] = []
        self.columns: list[str] = []
        self.table = ""
        self._whole: tuple[int, list[str]] | None = None
        self._cpus = 0

    def head(self, printed: str, table: str) -> None:
        """Begin a table; words such as `in:` stand in front of several columns."""
        self.end_look()
        self.table, self.columns, group = table, [], ""
        for word in printed.split():
            if word.endswith(":"):
                group = f"{word[:-1]}_"
            else:
                self.columns.append(group + word)

    def look(self, time: str) -> None:
        """Begin the rows of one time."""
        self.end_look()
        self.times.append(time)

    def row(self, line: int, cells: list[str]) -> bool:
        """Take a row; return whether it has as many cells as the table has columns."""
        if len(cells) != len(self.columns):
            return False
        if self.table == "cpu" and cells[0] == "all":
            self._whole = (line, cells)
        else:
            self._cpus += self.table == "cpu"
            self._add(line, cells, 1)
        named: dict[str, Cell] = {"time_text": self.times[-1] if self.times else ""}
        for column, cell in zip(self.columns, cells, strict=True):
            value = _value(cell)
            if column.startswith("%") and isinstance(value, float):
                value = round(value / 100, 6)
            named[_name(column)] = value
            if column == OOM_KILLS and isinstance(value, float):
                self.kills.append((value, line))
        self.rows.setdefault(self.table, Rows(f"atopsar:{self.table}")).add(line, named)
        return True

    def end_look(self) -> None:
        """Add the row of all CPUs of the look that ends, as shares of all of them."""
        if self._whole is not None:
            self._add(*self._whole, max(1, self._cpus))
        self._whole, self._cpus = None, 0

    def _add(self, line: int, cells: list[str], parts: int) -> None:
        """Add the values of a row that are facts, each divided by `parts`."""
        entity = ENTITIES.get(self.columns[0])
        labels = {entity: cells[0]} if entity else {}
        quantities = QUANTITIES.get(self.table, {})
        for column, cell in zip(self.columns, cells, strict=True):
            quantity, found = quantities.get(column), _CELL.match(cell)
            if quantity and found:
                value = float(found["number"]) * _SCALES.get(found["unit"], 1.0)
                self.series.add(quantity, value / parts, line, labels)


def read(text: Text) -> Reading:
    """Read all tables; what sar also states becomes facts, the mean over all looks."""
    pasted = transcript(text)
    facts: list[Fact] = []
    tables = _Tables()
    for number, line, _ in pasted.lines:
        if not line.strip() or _DATE.match(line):
            continue
        if found := _BANNER.match(line):
            facts.append(Fact("kernel.release", found["release"], Lines.at(number)))
            facts.append(Fact("host.name", found["host"], Lines.at(number)))
        elif found := _HEAD.match(line):
            tables.head(found["columns"], found["table"])
        elif found := _PRESSURE.match(line):
            tables.head(found["columns"], "psi")
        elif "|" in tables.columns:
            pasted.skips.add("a list of processes", number)
        elif tables.columns and (found := _ROW.match(line)):
            if found["time"]:
                tables.look(found["time"])
            cells = (found["cells"] or "").replace(" ms", "").rstrip("*+ ").split()
            if cells and not tables.row(number, cells):
                pasted.skips.add("not a row of atopsar", number)
        else:
            pasted.skips.add("not a row of atopsar", number)
    tables.end_look()
    facts += tables.series.facts()
    if tables.kills:
        lines = Lines(tables.kills[0][1], tables.kills[-1][1])
        total = sum(value for value, _ in tables.kills)
        facts.append(Fact("atopsar.oom_kills", total, lines, "count"))
    duration = spanned(tables.times)
    return Reading(
        facts=tuple(facts),
        row_sets=tuple(found for rows in tables.rows.values() for found in rows.sets(duration)),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _name(column: str) -> str:
    """Return the name of a column in rows."""
    return ENTITIES.get(column) or plain_name(column)


def _value(cell: str) -> Cell:
    """Return a number, of memory in MiB and of shares 0..1; the text when it is none, None for `?`."""
    found = _CELL.match(cell)
    if found is None:
        return None if cell in {"?", "-"} else cell
    number = float(found["number"])
    return number / 100 if found["unit"] == "%" else number * _SCALES.get(found["unit"], 1.0)
