"""memleak of bcc: stacks that allocated memory which is not freed yet.

Example:
    [11:16:33] Top 2 stacks with outstanding allocations:
            80 bytes in 5 allocations from stack
                     main+0x6d [allocs]
                     __libc_start_main+0xf0 [libc-2.21.so]

            8192 bytes in 1 allocations from stack
                     ftrace_set_hash [kernel]

Innermost frame first. Each report is all that is outstanding at its time: the last one is the profile, in
bytes, and the growth from the first to the last is a fact. Single allocations (`addr = …`) are counted as
skipped.
Source: tools/memleak.py in iovisor/bcc.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import Frame
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.profile import Profile
    from ingest.model.section import Text

NAME = "memleak"
VERSION = 1
PRIORITY = 58
TITLE = "memleak (bcc)"
COMMAND = "memleak -p PID 10 6"
EXAMPLE = (
    "[11:16:33] Top 2 stacks with outstanding allocations:\n"
    "\t80 bytes in 5 allocations from stack\n"
    "\t\tmain+0x6d [allocs]"
)

_BANNER = re.compile(r"^Attaching to (?:pid \d{1,10}|kernel allocators), Ctrl\+C to quit\.\s*$")
_REPORT = re.compile(r"^\[\d\d:\d\d:\d\d\] Top \d{1,6} stacks with outstanding allocations:\s*$")
_STACK = Pattern(r"^\s+(?P<bytes>[0-9]{1,18}) bytes in (?P<count>[0-9]{1,18}) allocations from stack\s*$")
_FRAME = Pattern(
    r"^\s{2,}(?:0x[0-9a-f]{1,16}\s+)?(?P<name>[^\s\[].*?|\[unknown\])"
    r"(?:\+0x[0-9a-f]+)?(?: \[(?P<module>[^\]\s]+)\])?\s*$"
)
_ALLOCATION = re.compile(r"^\s+addr = [0-9a-f]{1,16} size = \d{1,18}\s*$")
_LOST = "stack information lost"
_KERNEL = "kernel"

STARTS = (
    _BANNER.pattern.removeprefix("^"),
    _REPORT.pattern.removeprefix("^"),
    r"\s+\d+ bytes in \d+ allocations from stack",
)


class _Stack(NamedTuple):
    """What one stack holds: its line, bytes, number of allocations and frames, innermost first."""

    line: int
    size: float
    allocations: float
    frames: list[PlacedFrame]


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the banner, a report or a stack of it is at `lines[at]`."""
    line = lines[at]
    return bool(_REPORT.match(line) or _BANNER.match(line) or _STACK.match(line))


def continues(line: str) -> bool:
    """Return whether `line` can occur in a report."""
    return any(shape.match(line) for shape in (_BANNER, _REPORT, _STACK, _ALLOCATION, _FRAME))


def read(text: Text) -> Reading:
    """Read the last report as a profile, and how much more is outstanding than in the first."""
    pasted = transcript(text)
    reports: list[list[_Stack]] = []
    for number, line, _ in pasted.lines:
        if not line.strip():
            continue
        if _REPORT.match(line):
            reports.append([])
        elif found := _STACK.match(line):
            if not reports:
                reports.append([])
            reports[-1].append(_Stack(number, float(found["bytes"]), float(found["count"]), []))
        elif _ALLOCATION.match(line):
            pasted.skips.add("a single allocation", number)
        elif reports and reports[-1] and (frame := _FRAME.match(line)) and _LOST not in line:
            reports[-1][-1].frames.append(PlacedFrame(_named(frame), number))
        else:
            pasted.skips.add("a message of the tool" if _BANNER.match(line) else "not of a report", number)
    filled = [report for report in reports if report]
    profiles: tuple[Profile, ...] = ()
    if filled:
        stacks = StackBuilder()
        for one in filled[-1]:
            stacks.add(one.frames, line=one.line, weight=one.size, count=one.allocations)
        profiles = (
            stacks.build(event="outstanding allocations", unit="bytes", what="event", has_weights=True),
        )
        if len(filled) > 1:
            pasted.skips.add("a report before the last", filled[0][0].line, len(filled) - 1)
    return Reading(
        profiles=profiles,
        facts=tuple(_facts(filled)),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _named(frame: re.Match[str]) -> Frame:
    """Return a frame; memleak names the kernel's own code `[kernel]`."""
    module = frame["module"] or ""
    if frame["name"] == "[unknown]":
        return Frame("[unknown]", "", "unknown")
    if module == _KERNEL:
        return Frame(frame["name"], "[kernel.kallsyms]", "kernel")
    return Frame(frame["name"], module, "user" if module else "unknown")


def _facts(reports: list[list[_Stack]]) -> Iterator[Fact]:
    """Yield what is outstanding in the last report, and by how much that is more than in the first."""
    if not reports:
        return
    totals = [sum(one.size for one in report) for report in reports]
    last = Lines(reports[-1][0].line, reports[-1][-1].line)
    yield Fact("trace.outstanding_bytes", totals[-1], last, "bytes")
    if len(reports) > 1:
        lines = Lines(reports[0][0].line, reports[-1][-1].line)
        yield Fact("trace.outstanding_growth_bytes", totals[-1] - totals[0], lines, "bytes")
