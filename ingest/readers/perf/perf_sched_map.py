"""`perf sched map`: which task ran on each CPU, a line for each switch.

Example:
      *A0       26014.701824 secs A0 => migration/0:18
      *C0       26014.701980 secs C0 => perf-exec:5363
       C0 *D0   26014.702012 secs D0 => sh:32280
      *.   D0   26014.703236 secs

A column is a CPU, in the order of their numbers (with `--compact` of their first switch); `*` marks the CPU
that switched, `.` is idle. A task runs on a CPU from its switch to the next one there.
Source: tools/perf/builtin-sched.c map_switch_event.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.series import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "perf-sched-map"
VERSION = 1
TITLE = "perf sched map"
COMMAND = "perf sched map"
EXAMPLE = (
    "  *A0       26014.701824 secs A0 => migration/0:18\n"
    "   A0 *D0   26014.702012 secs D0 => sh:32280\n"
    "  *B0  D0   26014.703236 secs B0 => casebook:5350"
)

MOST_TASKS = 20
"""Tasks that are facts: those that ran longest."""

IDLE = "."
_SHORT = r"(?:[A-Z]\d|\.|-)"
_ROW = Pattern(
    r"^(?P<cpus>\s[\s*A-Z0-9.-]*?)\s(?P<time>\d{1,10}\.\d{6}) secs"
    rf"(?: (?P<short>{_SHORT}) => (?P<comm>\S.{{0,63}}?):(?P<tid>\d{{1,10}}))?(?: \(CPU \d+\))?\s*$"
)
_SWITCHED = re.compile(rf"\*({_SHORT})")

STARTS = (rf"\s[\s*.\w-]*\*{_SHORT}[\s*.\w-]*\s\d+\.\d{{6}} secs",)


class _Running(NamedTuple):
    short: str
    since: float


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a switch is at `lines[at]`."""
    found = _ROW.match(lines[at])
    return bool(found and "*" in found["cpus"])


def continues(line: str) -> bool:
    """Return whether `line` is a switch."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read how often each task was switched to, and how long it ran."""
    reader = FactReader(text)
    tasks: dict[str, tuple[str, str, int]] = {}
    switches: dict[str, int] = {}
    ran: dict[str, float] = {}
    running: dict[int, _Running] = {}
    times: list[tuple[float, int]] = []
    for line, entry in enumerate(text.lines, start=text.first_line):
        row = _ROW.match(entry)
        switched = _SWITCHED.search(row["cpus"]) if row else None
        if row is None or switched is None:
            if entry.strip():
                reader.skips.add("not a row of perf sched map", line)
            continue
        short, at, cpu = switched[1], float(row["time"]), switched.start()
        if row["short"]:
            tasks[row["short"]] = (row["comm"], row["tid"], line)
        times.append((at, line))
        before = running.get(cpu)
        if before is not None:
            ran[before.short] = ran.get(before.short, 0.0) + max(0.0, at - before.since)
        running[cpu] = _Running(short, at)
        switches[short] = switches.get(short, 0) + 1
    return _result(reader, tasks, switches, ran, times)


def _result(
    reader: FactReader,
    tasks: dict[str, tuple[str, str, int]],
    switches: dict[str, int],
    ran: dict[str, float],
    times: list[tuple[float, int]],
) -> Reading:
    rows = Rows("sched_map")
    for short, (comm, tid, line) in tasks.items():
        cells: dict[str, Cell] = {
            "comm": comm,
            "tid": float(tid),
            "switches": float(switches.get(short, 0)),
            "run_ms": round(ran.get(short, 0.0) * 1e3, 6),
        }
        rows.add(line, cells)
    duration = times[-1][0] - times[0][0] if len(times) > 1 else None
    if times:
        count = sum(number for short, number in switches.items() if short != IDLE)
        reader.add("sched.switches", float(count), times[0][1], "count")
    longest = sorted((short for short in ran if short in tasks), key=lambda short: -ran[short])[:MOST_TASKS]
    for short in longest:
        comm, tid, line = tasks[short]
        reader.add(
            "sched.task.run_seconds", round(ran[short], 6), line, "seconds", {"comm": comm, "tid": tid}
        )
    read_out = reader.result()
    return Reading(
        facts=read_out.facts, row_sets=rows.sets(duration), skipped=read_out.skipped, quality=read_out.quality
    )
