"""`perf lock contention`: which lock was waited for, how long, and from where.

Examples:
     contended   total wait     max wait     avg wait         type   caller

           286      1.77 ms     96.53 us      6.17 us     spinlock   shrink_node+0x2ff
                        0xffffffff82203efe  __pv_queued_spin_lock_slowpath+0x10e
                        0xffffffff82203981  _raw_spin_lock_irq+0x41

     contended   total wait     max wait     avg wait          pid   comm

           119    605.34 us     58.08 us      5.09 us        22982   arrow-read-28

     contended   total wait     max wait     avg wait          pid   owner

           403    565.32 us     26.81 us      1.40 us           -1   Unknown

With -v the stack of every row follows; stacks become a profile that weighs by time waited. With -o and -v,
stacks of the tasks that held the locks follow below `=== owner stack trace ===`: the same waits once more, so
they are rows and a profile of their own.
Source: tools/perf/builtin-lock.c (print_contention_result), Linux 5.19 to 6.18.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.profile import Frame
from ingest.model.reading import Reading
from ingest.native.frame_kind import classify
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.parsing.series import Quantity, Rows, Series
from ingest.paste.transcript import decimal, transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.profile import Profile
    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "perf-lock"
VERSION = 2
TITLE = "perf lock contention"
COMMAND = "perf lock contention -a"
EXAMPLE = (
    " contended   total wait     max wait     avg wait         type   caller\n\n"
    "       286      1.77 ms     96.53 us      6.17 us     spinlock   shrink_node+0x2ff"
)

NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9}
_HEAD = re.compile(
    r"^\s*contended\s+total wait\s+max wait\s+avg wait\s+(?P<columns>(?:type|pid|address|cgroup)\b.*)$"
)
_TIME = r"(\d+(?:\.\d+)?) (ns|us|ms|s|m)"
_ROW = Pattern(rf"^\s*(?P<count>\d+)\s+{_TIME}\s+{_TIME}\s+{_TIME}\s+(?P<what>\S.*?)\s*$")
_FRAME = re.compile(
    r"^\s+0x(?P<address>[0-9a-f]{8,16})\s+(?P<name>\S+?)?(?:\+0x[0-9a-f]+)?(?: \[(?P<module>\S+)\])?\s*$"
)
_OWNERS = re.compile(r"^\s*=== owner stack trace ===\s*$")
_OFFSET = re.compile(r"\+0x[0-9a-f]+$")
_MESSAGE = re.compile(
    r"^(?:build id event received|pmu capabilities not|Looking at the vmlinux_path|symsrc__init:"
    r"|/proc/\{kallsyms|Using /proc/kallsyms|map_groups__|overlapping maps)"
)
_SUMMARY = Pattern(
    r"^\s*(?:=== output for debug|bad: \d+, total: \d+|bad rate: |histogram of|\s*(?:acquire"
    r"|acquired|contended|release): \d+)"
)


STARTS = (
    _HEAD.pattern,
    _MESSAGE.pattern,
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the table starts at `lines[at]`: its header, or perf's messages above it."""
    if _HEAD.match(lines[at]):
        return True
    return bool(_MESSAGE.match(lines[at])) and any(_HEAD.match(ahead) for ahead in lines[at + 1 : at + 20])


def continues(line: str) -> bool:
    """Return whether `line` is a row, a frame of its stack, or a message of perf."""
    return any(shape.match(line) for shape in (_HEAD, _ROW, _FRAME, _OWNERS, _MESSAGE, _SUMMARY))


class _Table:
    """Rows and stacks of the waits, or of the owners."""

    def __init__(self, name: str) -> None:
        """Start without rows."""
        self.rows, self.stacks = Rows(name), StackBuilder()
        self.waited = self.contended = 0.0
        self.lines: list[int] = []
        self._open: list[PlacedFrame] = []
        self._weight = 0.0

    def row(self, found: re.Match[str], columns: Sequence[str], line: int) -> None:
        """Add a row; the frames that follow are its stack."""
        self.close()
        times = [decimal(found[at]) * NANOSECONDS[found[at + 1]] for at in (2, 4, 6)]
        words = found["what"].split(None, len(columns) - 1)
        cells: dict[str, Cell] = {"contended": float(found["count"]), "total_wait_ns": times[0]}
        cells |= {"max_wait_ns": times[1], "average_wait_ns": times[2]}
        cells |= {
            name: _OFFSET.sub("", word) if name == "caller" else word
            for name, word in zip(columns, words, strict=False)
        }
        self.rows.add(line, cells)
        self.waited, self.contended = self.waited + times[0], self.contended + float(found["count"])
        self.lines.append(line)
        self._weight = times[0]

    def frame(self, found: re.Match[str], line: int) -> None:
        """Add a frame to the stack of the last row."""
        module = f"[{found['module']}]" if found["module"] else "[kernel.kallsyms]"
        name, address = found["name"] or "[unknown]", int(found["address"], 16)
        if not found["name"]:
            module = ""
        self._open.append(PlacedFrame(Frame(name, module, classify(name, module, address)), line))

    def close(self) -> None:
        """End the stack of the last row."""
        if self._open:
            self.stacks.add(self._open, line=self.lines[-1], weight=self._weight, count=1.0)
            self._open = []

    def profiles(self, event: str, what: str) -> tuple[Profile, ...]:
        """Return the stacks, weighed by the time waited."""
        if not len(self.stacks):
            return ()
        return (self.stacks.build(event=event, unit="ns", what=what, has_weights=True),)


def read(text: Text) -> Reading:
    """Read the rows, the time waited in all, and the stacks below the rows."""
    pasted = transcript(text)
    series = Series()
    waits, owners = _Table("lock_contention"), _Table("lock_owner_stacks")
    table, columns = waits, list[str]()
    for number, line, _ in pasted.lines:
        if head := _HEAD.match(line):
            table, columns = waits, head["columns"].split()
        elif _OWNERS.match(line):
            table, columns = owners, ["type", "caller"]
        elif (found := _ROW.match(line)) and columns:
            table.row(found, columns, number)
        elif (found := _FRAME.match(line)) and table.lines:
            table.frame(found, number)
        elif _MESSAGE.match(line) or _SUMMARY.match(line):
            pasted.skips.add("a message of perf", number)
        elif line.strip():
            pasted.skips.add("not a row of perf lock contention", number)
    for one in (waits, owners):
        one.close()
    if waits.lines:
        series.add(Quantity("lock.wait_seconds", "seconds", 1e-9), waits.waited, waits.lines[0])
        series.add(Quantity("lock.contended", "count"), waits.contended, waits.lines[-1])
    return Reading(
        profiles=(
            *waits.profiles("lock:contention", "offcpu"),
            *owners.profiles("lock:owner", "event"),
        ),
        facts=tuple(series.facts()),
        row_sets=(*waits.rows.sets(), *owners.rows.sets()),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
