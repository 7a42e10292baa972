"""`top -b`, also with threads (-H): load, CPU, memory, and the processes that use most; also htop.

Example:
    top - 00:11:43 up 29 min,  0 user,  load average: 19.37, 21.66, 14.76
    Tasks: 171 total,   6 running, 162 sleeping,   0 stopped,   3 zombie
    %Cpu(s): 63.2 us, 21.1 sy, 15.8 ni,  0.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
    MiB Mem :  24105.6 total,   8986.6 free,   4261.6 used,  12191.4 buff/cache

        PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
       1110 root      20   0  496260 149136 111868 S  41.7   0.6   0:00.20 rustc

    htop:
    PID USER      PRI  NI  VIRT   RES   SHR S  CPU%▽MEM%   TIME+  Command
    812 root       20   0     0     0     0 R  99.4  0.0  0:41.22 kworker/6:1+inode_switch_wbs

The first screen of a batch counts CPU since each process began; a later one counts since the screen before.
Source: top(1), procps src/top/top.c; htop(1), htop Process.c, whose CPU% is since its screen before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.engines.series.model import looks_column
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.series import Quantity, Rows, Series, printed_number, share
from ingest.paste.transcript import decimal, transcript

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "top"
VERSION = 4
TITLE = "top"
COMMAND = "top -b -n 1"
EXAMPLE = (
    "top - 00:11:43 up 29 min,  0 user,  load average: 19.37, 21.66, 14.76\n"
    "Tasks: 171 total,   6 running, 162 sleeping,   0 stopped,   3 zombie"
)

_HEAD = re.compile(
    r"^top - \d\d:\d\d:\d\d up .*load average: (?P<m1>\d+[.,]\d+), (?P<m5>\d+[.,]\d+), (?P<m15>\d+"
    r"[.,]\d+)\s*$"
)
_TASKS = re.compile(r"^(?P<what>Tasks|Threads):\s+(?P<rest>\d+ total,.*)$")
_CPU = re.compile(r"^%?Cpu(?:\(s\)|(?P<cpu>\d+) )\s*:\s*(?P<rest>\d.*)$")
_MEMORY = re.compile(r"^(?P<unit>[KMGTPE]iB|KiB) (?P<what>Mem|Swap)\s*:\s*(?P<rest>.*)$")
_COLUMNS = re.compile(r"^\s*PID\W+(?:USER|UID)\s.*(?:%CPU\b|CPU%).*\b(?:COMMAND|CMD|Command)\s*$")
_BETWEEN_COLUMNS = re.compile(r"[\s△▽]+")
"""htop marks the column it sorts by, in place of a blank."""
_IN_TOP = {"PRI": "PR", "CPU%": "%CPU", "MEM%": "%MEM", "Command": "COMMAND"}
"""Columns of htop and their names in top."""
_PAIR = Pattern(r"(\d+[.,]?\d*)[ %]?\s?([a-z][a-z/]*)")
_SIZE = re.compile(r"^(?P<value>\d+(?:[.,]\d+)?)(?P<unit>[kmgtpKMGTP]?)$")
_ROW = re.compile(r"^\s*\d{1,10}\s+\S+\s+(?:-?\d+|rt)\s+-?\d+\s")
_WHOLE_ROW = re.compile(
    r"^\s*\d{1,10}\s+\S+\s+(?:-?\d+|rt)\s+-?\d+(?:\s+\d+(?:[.,]\d+)?[kmgtpKMGT]?){3}\s+[RSDTtZXI]\s+"
    r"\d+[.,]\d\s+\d+[.,]\d\s+(?:\d+:\d\d[.:]\d\d|\d+h\d\d:\d\d)\s+\S"
)
"""A row of the default columns, which nothing else looks like: it needs no header above."""

_SUMMARY = re.compile(r"^(?:Tasks|Threads):\s+\d+ total,\s+\d+ running,\s+\d+ sleep")
"""The line of tasks alone, without the line above it."""

DEFAULT_COLUMNS = ["PID", "USER", "PR", "NI", "VIRT", "RES", "SHR", "S", "%CPU", "%MEM", "TIME+", "COMMAND"]
_UNITS = {"": 1024.0, "k": 1024.0, "m": 1024.0**2, "g": 1024.0**3, "t": 1024.0**4, "p": 1024.0**5}
_SHARES: Mapping[str, Quantity] = {
    "us": share("cpu.user_share"),
    "sy": share("cpu.system_share"),
    "ni": share("cpu.nice_share"),
    "id": share("cpu.idle_share"),
    "wa": share("cpu.iowait_share"),
    "hi": share("cpu.irq_share"),
    "si": share("cpu.softirq_share"),
    "st": share("cpu.steal_share"),
}
LOADS = (("m1", "loadavg.1m"), ("m5", "loadavg.5m"), ("m15", "loadavg.15m"))
PROCESS_SHARE = share("process.cpu.total_share")


STARTS = (
    _HEAD.pattern,
    _COLUMNS.pattern,
    _WHOLE_ROW.pattern,
    _SUMMARY.pattern,
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a screen of top starts at `lines[at]`: its first line, its table or a row alone."""
    if _HEAD.match(lines[at]) or _SUMMARY.match(lines[at]):
        return True
    return (bool(_COLUMNS.match(lines[at])) and "TIME+" in lines[at]) or bool(_WHOLE_ROW.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in a screen."""
    return any(shape.match(line) for shape in (_HEAD, _TASKS, _CPU, _MEMORY, _COLUMNS, _ROW))


class _Screens:
    """Collects what the screens say."""

    def __init__(self) -> None:
        """Start before the first screen."""
        self.series = Series()
        self.rows = Rows("top")
        self.summaries = Rows("top_summary")
        self.latest: dict[str, Cell] = {}
        self.columns: list[str] = []
        self.screen = 0
        self.is_threads = False

    def summary(self, line: str, number: int) -> bool:
        """Read a line above the table; False when it is none."""
        if head := _HEAD.match(line):
            self.screen += 1
            self.latest = {"time_text": line[6:14]}
            self.summaries.add(number, self.latest)
            for group, name in LOADS:
                self.add(Quantity(name, "count"), decimal(head[group]), number)
        elif tasks := _TASKS.match(line):
            self.is_threads = tasks["what"] == "Threads"
            for value, state in _PAIR.findall(tasks["rest"]):
                self.add(Quantity(f"tasks.{state}", "count"), decimal(value), number)
        elif cpu := _CPU.match(line):
            for value, mode in _PAIR.findall(cpu["rest"]):
                if mode in _SHARES:
                    self.add(_SHARES[mode], decimal(value), number)
                    if cpu["cpu"]:
                        self.series.add(_SHARES[mode], decimal(value), number, {"cpu": cpu["cpu"]})
        elif memory := _MEMORY.match(line):
            factor = _UNITS[memory["unit"][0].lower()]
            for value, kind in _PAIR.findall(memory["rest"]):
                # Available memory is printed on the line of swap.
                what, key = ("mem", "available") if kind == "avail" else (memory["what"].lower(), kind)
                name = f"free.{what}.{key.replace('/', '_')}_bytes"
                self.add(Quantity(name, "bytes", factor), decimal(value), number)
        else:
            return False
        return True

    def add(self, quantity: Quantity, value: float, number: int) -> None:
        """Add a value of the machine, as a look and as a cell of its screen."""
        self.series.add(quantity, value, number)
        self.latest[looks_column(quantity.fact)] = round(value * quantity.factor, 6)

    def lacks_command(self, line: str) -> bool:
        """Return whether a row ends before its command, which a mail wrapped into the next line."""
        words = line.split()
        return len(words) == len(self.columns) - 1 and words[0].isdecimal() and ":" in words[-1]

    def row(self, line: str, number: int) -> bool:
        """Read a row of the table; False when it is none."""
        words = line.split(None, len(self.columns) - 1)
        if len(words) != len(self.columns) or not words[0].isdecimal():
            return False
        cells = dict(zip(self.columns, words, strict=True))
        command = cells.get("COMMAND", cells.get("CMD", "")).strip()
        used, memory = printed_number(cells.get("%CPU", "")), printed_number(cells.get("%MEM", ""))
        row_cells: dict[str, Cell] = {
            "screen": float(self.screen),
            "tid" if self.is_threads else "pid": float(cells["PID"]),
            "user": cells.get("USER", cells.get("UID", "")),
            "state": cells.get("S", ""),
            "cpu_share": None if used is None else round(used / 100, 6),
            "memory_share": None if memory is None else round(memory / 100, 6),
            "virtual_bytes": _size(cells.get("VIRT", "")),
            "resident_bytes": _size(cells.get("RES", "")),
            "comm": command.removesuffix("+"),
        }
        self.rows.add(number, row_cells)
        if used and not self.is_threads:
            labels = {"pid": cells["PID"], "comm": command.removesuffix("+")}
            self.series.add(PROCESS_SHARE, used, number, labels)
        return True


def _size(cell: str) -> float | None:
    """Return bytes of `149136` (KiB) or `1.8g`."""
    found = _SIZE.match(cell)
    return decimal(found["value"]) * _UNITS[found["unit"].lower()] if found else None


def read(text: Text) -> Reading:
    """Read every screen: means as facts, processes as rows of `top`; idle processes are rows only."""
    pasted = transcript(text)
    screens = _Screens()
    cut: tuple[int, str] | None = None
    for number, line, _ in pasted.lines:
        if not line.strip() or screens.summary(line, number):
            continue
        if _COLUMNS.match(line):
            words = _BETWEEN_COLUMNS.split(line.strip())
            screens.columns = [_IN_TOP.get(word, word) for word in words]
            continue
        if not screens.columns and _WHOLE_ROW.match(line):
            screens.columns = DEFAULT_COLUMNS
        if screens.columns and screens.lacks_command(line):
            cut = number, line
        elif cut and screens.row(f"{cut[1]} {line.strip()}", cut[0]):
            cut = None
        elif not screens.columns or not screens.row(line, number):
            pasted.skips.add("not a row of top", number)
    return Reading(
        facts=tuple(screens.series.facts()),
        row_sets=(*screens.rows.sets(), *(screens.summaries.sets() if screens.screen > 1 else ())),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
