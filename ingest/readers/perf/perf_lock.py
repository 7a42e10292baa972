"""`perf lock contention`: which lock was waited for, how long, and from where.

Examples:
     contended   total wait     max wait     avg wait         type   caller

           286      1.77 ms     96.53 us      6.17 us     spinlock   shrink_node+0x2ff
                        0xffffffff82203efe  __pv_queued_spin_lock_slowpath+0x10e
                        0xffffffff82203981  _raw_spin_lock_irq+0x41

     contended   total wait     max wait     avg wait          pid   comm

           119    605.34 us     58.08 us      5.09 us        22982   arrow-read-28

With -v the stack of every row follows; stacks become a profile that weighs by time waited.
Source: tools/perf/builtin-lock.c (print_contention_result).
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

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "perf-lock"
VERSION = 1
TITLE = "perf lock contention"
COMMAND = "perf lock contention -a"
EXAMPLE = (
    " contended   total wait     max wait     avg wait         type   caller\n\n"
    "       286      1.77 ms     96.53 us      6.17 us     spinlock   shrink_node+0x2ff"
)

NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9}
_HEAD = re.compile(
    r"^\s*contended\s+total wait\s+max wait\s+avg wait\s+(?P<columns>(?:type|pid|address)\b.*)$"
)
_TIME = r"(\d+(?:\.\d+)?) (ns|us|ms|s|m)"
_ROW = Pattern(rf"^\s*(?P<count>\d+)\s+{_TIME}\s+{_TIME}\s+{_TIME}\s+(?P<what>\S.*?)\s*$")
_FRAME = re.compile(
    r"^\s+0x(?P<address>[0-9a-f]{8,16})\s+(?P<name>\S+?)?(?:\+0x[0-9a-f]+)?(?: \[(?P<module>\S+)\])?\s*$"
)
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
    return any(shape.match(line) for shape in (_HEAD, _ROW, _FRAME, _MESSAGE, _SUMMARY))


def read(text: Text) -> Reading:
    """Read the rows, the time waited in all, and the stacks below the rows."""
    pasted = transcript(text)
    series, rows, stacks = Series(), Rows("lock_contention"), StackBuilder()
    by_what: list[str] = []
    stack: list[PlacedFrame] = []
    waited = total = contended = 0.0
    row_line = first = last = 0

    def close() -> None:
        if stack:
            stacks.add(stack, line=row_line, weight=waited, count=1.0)
            stack.clear()

    for number, line, _ in pasted.lines:
        if head := _HEAD.match(line):
            by_what = head["columns"].split()
        elif (found := _ROW.match(line)) and by_what:
            close()
            times = [decimal(found[at]) * NANOSECONDS[found[at + 1]] for at in (2, 4, 6)]
            waited, row_line = times[0], number
            words = found["what"].split(None, len(by_what) - 1)
            cells: dict[str, Cell] = {"contended": float(found["count"]), "total_wait_ns": times[0]}
            cells |= {"max_wait_ns": times[1], "average_wait_ns": times[2]}
            cells |= {
                name: _OFFSET.sub("", word) if name == "caller" else word
                for name, word in zip(by_what, words, strict=False)
            }
            rows.add(number, cells)
            total, contended = total + times[0], contended + float(found["count"])
            first, last = first or number, number
        elif (found := _FRAME.match(line)) and row_line:
            module = f"[{found['module']}]" if found["module"] else "[kernel.kallsyms]"
            name, address = found["name"] or "[unknown]", int(found["address"], 16)
            if not found["name"]:
                module = ""
            stack.append(PlacedFrame(Frame(name, module, classify(name, module, address)), number))
        elif _MESSAGE.match(line) or _SUMMARY.match(line):
            pasted.skips.add("a message of perf", number)
        elif line.strip():
            pasted.skips.add("not a row of perf lock contention", number)
    close()
    if first:
        series.add(Quantity("lock.wait_seconds", "seconds", 1e-9), total, first)
        series.add(Quantity("lock.contended", "count"), contended, last)
    profiles = (
        (stacks.build(event="lock:contention", unit="ns", what="offcpu", has_weights=True),)
        if len(stacks)
        else ()
    )
    return Reading(
        profiles=profiles,
        facts=tuple(series.facts()),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
