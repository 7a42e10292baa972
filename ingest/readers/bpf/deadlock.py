"""deadlock of bcc: mutexes of a process that its threads take in an order with a cycle.

Example:
    Potential Deadlock Detected!

    Cycle in lock order graph: Mutex M0 (cache 0x0000000000473c60) => Mutex M1 (0x00007fff6d738400) => …

    Mutex M1 (0x…) acquired here while holding Mutex M0 (cache 0x0000000000473c60) in Thread 35 (db):
    @ 00000000004024d0 pthread_mutex_lock

The cycle shows that a deadlock is possible, not that there was one.
Source: print_cycle in tools/deadlock.py of iovisor/bcc.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "bcc-deadlock"
VERSION = 1
PRIORITY = 61
TITLE = "deadlock (bcc)"
COMMAND = "deadlock 181"
EXAMPLE = (
    "Potential Deadlock Detected!\n\n"
    "Cycle in lock order graph: Mutex M0 (cache 0x0000000000473c60) => Mutex M1 (0x00007fff6d738400)"
)

_TITLE = re.compile(r"^Potential Deadlock Detected!\s*$")
_CYCLE = Pattern(r"^Cycle in lock order graph: (?P<cycle>Mutex M\d+ \(.*)$")
_TAKEN = Pattern(
    r"^(?P<taken>Mutex M\d+ \(.*\)) acquired here while holding (?P<held>Mutex M\d+ \(.*\)) "
    r"in Thread (?P<tid>\d+) \((?P<comm>.*)\):\s*$"
)
_BEFORE = Pattern(
    r"^(?P<held>Mutex M\d+ \(.*\)) previously acquired by the same Thread (?P<tid>\d+) "
    r"\((?P<comm>.*)\) here:\s*$"
)
_CREATED = Pattern(
    r"^(?:Thread \d+ created by Thread (?P<tid>\d+) \((?P<comm>.*)\) here:|Could not find stack trace where "
    r"Thread \d+ was created)\s*$"
)
_FRAME = Pattern(r"^@ (?P<address>[0-9a-f]{16}) (?P<name>\S.*?)\s*$")
_OTHER = re.compile(r"^(?:-{16}|Tracing\.\.\. Hit Ctrl-C to end\.|Mutexes: \d+, Edges: \d+)\s*$")
_SHAPES = (_TITLE, _CYCLE, _TAKEN, _BEFORE, _CREATED, _FRAME, _OTHER)

STARTS = (_TITLE.pattern, "Cycle in lock order graph: ")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the title or the cycle is at `lines[at]`."""
    return bool(_TITLE.match(lines[at]) or _CYCLE.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in the report."""
    return any(shape.match(line) for shape in _SHAPES)


def read(text: Text) -> Reading:
    """Read the cycle as a stated outcome, and each step of it as a row.

    Frames are skipped: the stacks are of locks that were taken, not of threads that wait.
    """
    pasted = transcript(text)
    facts: list[Fact] = []
    rows = Rows("lock_order")
    for number, line, _ in pasted.lines:
        if _FRAME.match(line):
            pasted.skips.add("frame of a stack", number)
        elif cycle := _CYCLE.match(line):
            lines, value = Lines.at(number), " ".join(cycle["cycle"].split())
            facts.append(Fact("tool.outcome", value, lines, "", {"what": "lock_order_cycle"}))
        elif taken := _TAKEN.match(line):
            cells = {"taken": taken["taken"], "held": taken["held"], "comm": taken["comm"]}
            rows.add(number, {**cells, "tid": float(taken["tid"])})
        elif line.strip() and not any(shape.match(line) for shape in _SHAPES):
            pasted.skips.add("not of the report of deadlock", number)
    return Reading(
        facts=tuple(facts),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
