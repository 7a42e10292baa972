"""`/proc/lock_stat`: how often and how long each class of locks was waited for and held.

Example:
    lock_stat version 0.4
                 class name  con-bounces  contentions  waittime-min  waittime-max …
            &mm->mmap_sem-W:          46           84          0.26        939.10 …
            ---------------
              &mm->mmap_sem            1          [<ffffffff811502a7>] khugepaged_scan_mm_slot+0x57/0x280

Times are microseconds, since the statistics were cleared; `-W` and `-R` are the writers and readers of one
lock. Below a class stand the callers that waited, then those that held it; version 0.3 has no averages. Rows
that somebody cut behind the waits have no holds.
Source: seq_stats in kernel/locking/lockdep_proc.c; Documentation/locking/lockstat.rst.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.series import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "proc-lock-stat"
VERSION = 1
TITLE = "/proc/lock_stat"
EXAMPLE = (
    "lock_stat version 0.4\n"
    "         &mm->mmap_sem-W:             46             84           0.26         939.10       16371.53"
    "         194.90          47291        2922365           0.16     2220301.69 17464026916.32     5975.99"
)

PATHS: tuple[str, ...] = ("proc/lock_stat",)
COMMANDS: tuple[str, ...] = (r"(?:cat|head|less|tail|grep) .*/proc/lock_stat.*",)
HINTS: tuple[str, ...] = ("lock_stat", "lock_stat.txt")

NANOSECONDS = 1000.0
_VERSION = re.compile(r"^\s*lock_stat version \d+\.\d+\s*$")
_HEAD = re.compile(r"^\s*class name\s+con-bounces\s+contentions\s+waittime-min\s")
_CLASS = Pattern(
    r"^\s*(?P<name>\S.{0,200}?):\s+(?P<bounces>\d+)\s+(?P<contended>\d+)\s+(?P<least>\d+\.\d\d)\s+"
    r"(?P<longest>\d+\.\d\d)\s+(?P<waited>\d+\.\d\d)(?:\s+(?P<mean>\d+\.\d\d))?(?:\s+(?P<moved>\d+)\s+"
    r"(?P<acquired>\d+)\s+\d+\.\d\d\s+(?P<longest_hold>\d+\.\d\d)\s+(?P<held>\d+\.\d\d)(?:\s+\d+\.\d\d)?)?\s*$"
)
_POINT = Pattern(
    r"^\s*(?P<name>\S.{0,200}?)\s+(?P<count>\d+)\s+\[<[0-9a-fx]+>\] (?P<caller>[\w.]+)(?:\+0x[0-9a-f/x]+)?"
    r"(?: \[(?P<module>[\w-]+)\])?\s*$"
)
_RULE = re.compile(r"^[\s.-]+$")
_OFF = re.compile(r"^\s*\*WARNING\* lock debugging disabled")

STARTS = (_VERSION.pattern, _HEAD.pattern)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the version or the head of the table is at `lines[at]`."""
    return bool(_VERSION.match(lines[at]) or _HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in the file."""
    return any(shape.match(line) for shape in (_CLASS, _POINT, _RULE, _HEAD, _VERSION, _OFF))


def read(text: Text) -> Reading:
    """Read waits by class as rows, and as facts who waited, how often and how long locks were held."""
    reader = FactReader(text)
    rows = Rows("lock_statistics")
    is_waiting = True
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _CLASS.match(entry):
            is_waiting = True
            contended = float(found["contended"])
            labels = {"lock": found["name"]}
            if found["acquired"]:
                reader.add("lock.acquired", float(found["acquired"]), line, "count", labels)
                held = float(found["longest_hold"]) / 1e6
                reader.add("lock.longest_hold_seconds", held, line, "seconds", labels)
            if contended:
                cells = {
                    "symbol": found["name"],
                    "contended": contended,
                    "total_wait_ns": float(found["waited"]) * NANOSECONDS,
                    "max_wait_ns": float(found["longest"]) * NANOSECONDS,
                    "average_wait_ns": round(float(found["waited"]) * NANOSECONDS / contended, 3),
                }
                rows.add(line, cells)
        elif found := _POINT.match(entry):
            if is_waiting:
                labels = {"lock": found["name"], "function": found["caller"]}
                reader.add("lock.waited_in", float(found["count"]), line, "count", labels)
        elif "." in entry and _RULE.match(entry):
            is_waiting = True
        elif entry.strip() and _RULE.match(entry):
            # The first rule below a class stands above those that wait, the second above those that held it.
            is_waiting = not _is_second_rule(text, line)
        elif _OFF.match(entry):
            reader.remark("cut_off", "the kernel stopped its lock statistics after a report of lockdep", line)
        elif entry.strip() and not (_HEAD.match(entry) or _VERSION.match(entry)):
            reader.skips.add("not a row of /proc/lock_stat", line)
    read_out = reader.result()
    return Reading(
        facts=read_out.facts, row_sets=rows.sets(), skipped=read_out.skipped, quality=read_out.quality
    )


def _is_second_rule(text: Text, line: int) -> bool:
    """Return whether the line above a rule names a caller: then those that held the lock follow."""
    above = line - text.first_line - 1
    return above >= 0 and bool(_POINT.match(text.lines[above]))
