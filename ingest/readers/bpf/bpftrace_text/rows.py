"""Lines that a script prints itself: known shapes, tables with a header, and `key=value` lines.

Examples:
    346   874011 874761 Fetch mm_vmscan_memcg_reclaim_end    nr_reclaimed=28  elapsed_ns=4294967295
    mmap_lock hold duration in PID 2395806 TID 2396744 COMM r_file: 101349 us
    [20:49:30] inode is switching! inode: 3730800 old cgroup: 22438 new cgroup: 88
    928          arrow-read-09    pid=20682 cpu=1 nid=0 scanned=1 reclaimed=1 prio=12
    TIME      PID    COMM             EVENT

The first two are the scripts published with "The case of the vanishing CPU", the third with
"Debugging Our New Linux Kernel".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import RowSet
from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.model.reading import Cell, SkipCounter

NO_PREVIOUS = 4294967295
"""An elapsed time of -1 as unsigned 32 bits: the begin event was not seen."""

FEW_ROWS = 5
"""Fewer rows than this without a banner are an excerpt."""

_MEMCG = Pattern(
    r"^\s*(?P<time_ms>\d+)\s+(?P<pid>\d+)\s+(?P<tid>\d+)\s+(?P<comm>\S.*?)\s+"
    r"mm_vmscan_memcg_reclaim_(?P<which>begin|end)\s+(?P<rest>\w+=.*)$"
)
_HOLD = re.compile(
    r"^\s*mmap_lock hold duration in PID (?P<pid>\d+) TID (?P<tid>\d+) COMM (?P<comm>.*?): (?P<us>\d+) us\b"
)
_SWITCH = re.compile(
    r"^\s*(?:\[(?P<time>\d\d:\d\d:\d\d)\]\s*)?inode is switching! inode: (?P<inode>\d+) "
    r"old cgroup: (?P<old>\d+) new cgroup: (?P<new>\d+)"
)
_PAIR = Pattern(r"(?P<key>[A-Za-z_][\w.]*)=(?P<value>[^\s,;]+)")
_UNIT = re.compile(r"^ ?(?P<unit>ns|us|ms)\b")
"""After a number: the name of its column ends with it, as other scripts print it."""

_UPPER_PAIR = re.compile(r"\b(?P<key>[A-Z][A-Z_]+)[ =:]+(?P<value>[^\s,;:]+)")
_HEADER = Pattern(r"^\s*[A-Z]{2,}[\w:/%()-]*(?:\s+[A-Z]{2,}[\w:/%()-]*)+\s*$")
_NUMBER = re.compile(r"^-?\d+(?:\.\d+)?$")
_COLUMNS: dict[str, tuple[str, ...]] = {
    "memcg_reclaim_end": ("time_ms", "pid", "tid", "comm", "nr_reclaimed", "elapsed_ns"),
    "memcg_reclaim_begin": ("time_ms", "pid", "tid", "comm", "order", "gfp_flags"),
    "mmap_lock_hold": ("pid", "tid", "comm", "duration_us"),
    "inode_switch_wbs": ("time_text", "inode", "old_cgroup_ino", "new_cgroup_ino"),
}


def is_known(line: str) -> bool:
    """Return whether the line has one of the known shapes."""
    return any(shape.match(line) for shape in (_MEMCG, _HOLD, _SWITCH))


def cell(text: str) -> Cell:
    """Return a number where the text is one."""
    return float(text) if _NUMBER.match(text) else text


def _unit_of(line: str, pair: re.Match[str]) -> str:
    """Return `_us` for `lat=12 us`, "" for a value without a unit."""
    found = _UNIT.match(line[pair.end() : pair.end() + 4]) if _NUMBER.match(pair["value"] or "") else None
    return f"_{found['unit']}" if found else ""


def _seconds(clock: str) -> int:
    """Return the seconds since midnight of `20:49:30`."""
    hours, minutes, seconds = clock.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds)


class Rows:
    """Collects rows by shape."""

    def __init__(self, skips: SkipCounter) -> None:
        """Count what is dropped in `skips`."""
        self._skips = skips
        self._columns: dict[str, tuple[str, ...]] = {}
        self._rows: dict[str, list[tuple[tuple[Cell, ...], int]]] = {}
        self._header: tuple[str, ...] = ()

    def add(self, line: str, number: int, *, is_inferred: bool) -> bool:
        """Take the line as a row if it is one; shapes are inferred only where a script is known to print."""
        takers: list[Callable[[str, int], bool]] = [self._memcg, self._hold, self._switch]
        if is_inferred:
            takers += [self._heading, self._pairs, self._headed]
        return any(taker(line, number) for taker in takers)

    def put(self, name: str, columns: tuple[str, ...], row: tuple[Cell, ...], number: int) -> None:
        """Add one row to a set."""
        self._columns.setdefault(name, columns)
        self._rows.setdefault(name, []).append((row, number))

    def _read_known(self, name: str, row: tuple[Cell, ...], number: int) -> bool:
        self.put(name, _COLUMNS[name], row, number)
        return True

    def _memcg(self, line: str, number: int) -> bool:
        found = _MEMCG.match(line) if "mm_vmscan_memcg_reclaim_" in line else None
        if not found:
            return False
        time_ms, pid, tid, comm, which, rest = found.groups()
        name = f"memcg_reclaim_{which}"
        printed = {key: cell(value) for key, value in _PAIR.findall(rest)}
        if printed.get("elapsed_ns") == NO_PREVIOUS:
            self._skips.add("begin not seen: elapsed is -1 as unsigned", number)
            return True
        who = (float(time_ms), float(pid), float(tid), comm)
        return self._read_known(name, (*who, *(printed.get(key) for key in _COLUMNS[name][4:])), number)

    def _hold(self, line: str, number: int) -> bool:
        found = _HOLD.match(line)
        if not found:
            return False
        row = (float(found["pid"]), float(found["tid"]), found["comm"], float(found["us"]))
        return self._read_known("mmap_lock_hold", row, number)

    def _switch(self, line: str, number: int) -> bool:
        found = _SWITCH.match(line)
        if not found:
            return False
        row = (found["time"], float(found["inode"]), float(found["old"]), float(found["new"]))
        return self._read_known("inode_switch_wbs", row, number)

    def _pairs(self, line: str, number: int) -> bool:
        """Take `928  arrow-read-09  pid=20682 cpu=1` and `PID 12 COMM x`; leading words are numbered."""
        pairs = list(_PAIR.finditer(line))
        if not pairs:
            pairs = list(_UPPER_PAIR.finditer(line))
            if len(pairs) < 2 or not any(_NUMBER.match(pair["value"]) for pair in pairs):
                return False
        keys = [pair["key"].lower() + _unit_of(line, pair) for pair in pairs]
        if len(set(keys)) < len(keys):
            return False
        leading = line[: pairs[0].start()].split()
        columns = (*(f"field_{place}" for place in range(1, len(leading) + 1)), *keys)
        row = (*(cell(word) for word in leading), *(cell(pair["value"]) for pair in pairs))
        self.put(f"rows:{','.join(keys)}:{len(columns)}", columns, row, number)
        return True

    def _heading(self, line: str, _: int) -> bool:
        """Take an upper-case header: `TIME  PID  COMM`."""
        words = tuple(word.lower() for word in line.split())
        if not _HEADER.match(line) or len(set(words)) < len(words):
            return False
        self._header = words
        return True

    def _headed(self, line: str, number: int) -> bool:
        """Take a row under a header: as many words, the last may hold blanks."""
        words = line.split(None, len(self._header) - 1) if self._header else []
        if (
            len(words) < 2
            or len(words) != len(self._header)
            or not any(_NUMBER.match(word) for word in words)
        ):
            return False
        self.put(f"rows:{','.join(self._header)}", self._header, tuple(cell(word) for word in words), number)
        return True

    def _duration(self, name: str) -> float | None:
        """Return the seconds the rows span, None when fewer than two of them state a time."""
        first = [row[0] for row, _ in self._rows[name]]
        times = []
        if self._columns[name][0] == "time_ms":
            times = [stated / 1000 for stated in first if isinstance(stated, float)]
        elif self._columns[name][0] == "time_text":
            times = [float(_seconds(stated)) for stated in first if isinstance(stated, str)]
        return max(times) - min(times) if len(times) > 1 else None

    def result(self) -> tuple[RowSet, ...]:
        """Return the row sets, in the order of first rows."""
        return tuple(
            RowSet.of_rows(
                name=name,
                columns=self._columns[name],
                rows=tuple(row for row, _ in rows),
                row_lines=tuple(number for _, number in rows),
                duration=self._duration(name),
            )
            for name, rows in self._rows.items()
        )
