"""`ltrace`: calls of library functions, with their durations when it ran with -T, and the table of -c.

Examples:
    10893 setlocale(6, 0x562779ba3b14, 0x7ffdec55c9a0, 7) = 0x5627b6037f40 <0.000925>
    10893 malloc(552 <unfinished ...>

    % time     seconds  usecs/call     calls      function
    ------ ----------- ----------- --------- --------------------
     25.52    0.003389          31       108 __errno_location

Source: ltrace's output.c (output_left, output_right) and summary.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.call_gaps import longest_gap
from ingest.parsing.call_lines import LOOK_AHEAD, is_library_trace
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "ltrace"
VERSION = 3
TITLE = "ltrace"
COMMAND = "ltrace -f -T -p 1"
EXAMPLE = (
    "% time     seconds  usecs/call     calls      function\n"
    "------ ----------- ----------- --------- --------------------\n"
    " 25.52    0.003389          31       108 __errno_location"
)

_HEAD = re.compile(r"^% time\s+seconds\s+usecs/call\s+calls\s+function\s*$")
_TABLE = re.compile(r"^\s*[\d.]+\s+(?P<seconds>\d+\.\d+)\s+\d+\s+(?P<calls>\d+)\s+(?P<call>[\w.@]+)\s*$")
_TOTAL = re.compile(r"^\s*100\.00\s+[\d.]+\s+(?:[\d.]+\s+)?\d+\s+total\s*$|^[\s-]{10,}$")
_TIME = r"(?P<time>\d\d:\d\d:\d\d(?:\.\d+)?\s+|\d{9,}\.\d+\s+|\d+\.\d{6}\s+)?"
_CALL = Pattern(
    r"^(?:\[pid )?(?P<pid>\d+)?\]?\s*"
    + _TIME
    + r"(?P<call>(?:\w[\w.]*->)?[A-Za-z_][\w.:~@]*)\((?P<args>.*?)\)?\s*"
    r"(?:= (?P<result>.+?)(?: <(?P<seconds>\d+\.\d+)>)?|(?P<open><unfinished \.\.\.>|<no return \.\.\.>))\s*$"
)
_CUT = re.compile(
    r"^(?:\[pid )?(?P<pid>\d+)\]?\s+"
    + _TIME
    + r"(?P<call>(?:\w[\w.]*->)?[A-Za-z_][\w.:~@]*)\((?P<args>[^)]*)$"
)
_RESUMED = Pattern(
    r"^(?:\[pid )?(?P<pid>\d+)?\]?\s*"
    + _TIME
    + r"<\.\.\. (?P<call>\S+) resumed> .*?(?:<(?P<seconds>\d+\.\d+)>)?\s*$"
)
_NOTE = re.compile(r"^(?:\[pid )?\d*\]?\s*(?:---|\+\+\+) .* (?:---|\+\+\+)\s*$")


EPOCH_DIGITS = 9
"""Digits from which the seconds of a stamp count from 1970."""

STARTS = (
    _HEAD.pattern,
    _CALL.pattern,
)


class _Stamped(NamedTuple):
    """A call with the time of its line."""

    pid: float
    call: str
    time: float | None
    args: str
    result: str | None
    duration: float | None


def _seconds(stamp: str | None, before: float | None) -> float | None:
    """Return seconds of a stamp; those of -r count from the line before."""
    if not stamp:
        return None
    text = stamp.strip()
    if ":" in text:
        hours, minutes, seconds = text.split(":")
        return 3600 * int(hours) + 60 * int(minutes) + float(seconds)
    is_relative = len(text.partition(".")[0]) < EPOCH_DIGITS
    return float(text) + (before or 0.0) if is_relative else float(text)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether output of ltrace starts at `lines[at]`: its table, or two calls with bare pointers."""
    if _HEAD.match(lines[at]):
        return True
    return bool(_CALL.match(lines[at])) and is_library_trace(lines[at : at + LOOK_AHEAD])


def continues(line: str) -> bool:
    """Return whether `line` is a call, a row or a note."""
    return any(shape.match(line) for shape in (_HEAD, _TABLE, _TOTAL, _CALL, _RESUMED, _NOTE))


def read(text: Text) -> Reading:
    """Read every call as a row; totals per function are facts."""
    pasted = transcript(text)
    rows = Rows("ltrace")
    stamped: list[tuple[_Stamped, int]] = []
    sums: dict[str, list[float]] = {}
    lines: dict[str, list[int]] = {}
    is_table = False
    for number, line, _ in pasted.lines:
        if _HEAD.match(line):
            is_table = True
        elif is_table and (found := _TABLE.match(line)):
            sums[found["call"]] = [float(found["calls"]), float(found["seconds"])]
            lines[found["call"]] = [number]
        elif found := _CALL.match(line) or _RESUMED.match(line):
            groups = found.groupdict()
            seconds = float(found["seconds"]) if found["seconds"] else None
            is_open = groups.get("open")
            when = _seconds(found["time"], stamped[-1][0].time if stamped else None)
            pid = float(found["pid"]) if found["pid"] else -1.0
            stamped.append((_Stamped(pid, found["call"], when, "", None, seconds), number))
            cells = {
                "pid": float(found["pid"]) if found["pid"] else None,
                "call": found["call"],
                "args": groups.get("args"),
                "result": groups.get("result"),
                "duration_s": seconds,
                "is_unfinished": float(bool(is_open)),
            }
            rows.add(number, cells)
            if not is_open:
                entry = sums.setdefault(found["call"], [0.0, 0.0])
                entry[0] += 1
                entry[1] += seconds or 0.0
                lines.setdefault(found["call"], []).append(number)
        elif number == pasted.lines[-1].number and (cut := _CUT.match(line)):
            cells = {"pid": float(cut["pid"]), "call": cut["call"], "args": cut["args"], "is_unfinished": 1.0}
            rows.add(number, cells)
            pasted.remark("cut_off", f"the last line stops inside {cut['call']}", number)
        elif line.strip() and not _TOTAL.match(line) and not _NOTE.match(line):
            pasted.skips.add("not a call", number)
    facts = [] if pasted.is_filtered else longest_gap(stamped)
    for call, (calls, seconds) in sums.items():
        cited, labels = Lines(lines[call][0], lines[call][-1]), {"call": call}
        facts.append(Fact("library_call.count", calls, cited, "count", labels))
        if seconds:
            facts.append(Fact("library_call.seconds", round(seconds, 9), cited, "seconds", labels))
    return Reading(
        facts=tuple(facts),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
