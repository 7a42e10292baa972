r"""Calls of `strace`, with their durations when it ran with -T, and the table of `strace -c`.

Examples:
    [pid 10436] <... read resumed> "cache 154234880\nrss 507904\nrss_h"..., 4096) = 658 <0.179438>
    14065 00:01:09.086022 clock_nanosleep(CLOCK_REALTIME, 0, {tv_sec=0, tv_nsec=20000000},  <unfinished ...>
    openat(AT_FDCWD, "/proc/123/cmdline"

    % time     seconds  usecs/call     calls    errors syscall
     97.20    1.023030         120      8516      2047 futex

A duration is wall time: work and waiting look alike. Calls that exist to wait (futex, epoll_wait, nanosleep…)
are flagged. A call that never returned, or whose line is cut, is stored: the process is blocked there. One of
them at the end that reads a file of a process, such as /proc/PID/cmdline, is a fact.

Sources: strace's src/syscall.c (syscall_exiting_trace), src/count.c (call_summary).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading, RowSet
from ingest.native.linear import Pattern
from ingest.parsing.call_gaps import longest_gap
from ingest.parsing.call_lines import LOOK_AHEAD, is_library_trace
from ingest.parsing.open_files import OpenFiles, unfinished_calls, unfinished_reads
from ingest.paste.transcript import decimal, transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text
    from ingest.paste.transcript import Transcript

NAME = "strace-calls"
VERSION = 6
TITLE = "strace"
COMMAND = "strace -T -f -p 1"
EXAMPLE = '[pid 10436] <... read resumed> "cache 0\\nrss 0\\n"..., 4096) = 577 <0.228091>'

COLUMNS = (
    "pid",
    "call",
    "args",
    "result",
    "data",
    "duration_s",
    "is_resumed",
    "is_waiting",
    "is_unfinished",
    "file",
)

WAITING = frozenset(
    (
        "futex", "futex_time64", "futex_wait", "futex_waitv", "epoll_wait", "epoll_pwait", "epoll_pwait2",
        "poll", "ppoll", "ppoll_time64", "select", "pselect6", "pselect6_time64", "_newselect", "nanosleep",
        "clock_nanosleep", "clock_nanosleep_time64", "wait4", "waitid", "waitpid", "restart_syscall", "pause",
        "rt_sigsuspend", "rt_sigtimedwait", "sigsuspend", "io_getevents", "io_pgetevents", "accept",
        "accept4",
    )
)  # fmt: skip
"""Calls whose purpose is to wait: their duration is no sign of a stall."""

_HEAD = (
    r"^\s*+(?P<pid>\[pid\s++\d++\]\s++|\d++\s++(?=\d\d:\d\d:\d\d|\d{9,}\.\d|[a-z_]\w*\(|<\.\.\. |[-+]{3} ))?+"
    r"(?P<time>\d\d:\d\d:\d\d(?:\.\d++)?\s++|\d{9,}+\.\d++\s++|\d++\.\d{6}\s++)?+(?:\(\+\s++[\d.]++\)\s++)?+"
)
_CALL = re.compile(_HEAD + r"(?P<call>[a-z_][a-z0-9_]*)\((?P<rest>.*)$")
_RESUMED = re.compile(_HEAD + r"<\.\.\. (?P<call>[a-z_][a-z0-9_]*) resumed>(?P<rest>.*)$")
_OTHER = re.compile(_HEAD + r"(?:---|\+\+\+) (?P<what>\S++).*(?:---|\+\+\+)\s*+$")
_TRACED = Pattern(r"\s= .*<\d+\.\d{6}>\s*$|<unfinished \.\.\.>")
_OWN_MESSAGE = re.compile(r"^\s*+(?:\^C\s*+)?(?:strace: |<detached \.\.\.>)")
_ATTACHED = re.compile(r"^\s*strace: Process \d{1,10} attached")
_DETACHED = Pattern(r",?\s*(?:\^C.*|<(?:detached|unavailable) \.\.\.>\s*)$")
_STOPPED = re.compile(r"\^C|<detached \.\.\.>|^\s*strace: Process \d{1,10} detached")
_RESULT = Pattern(
    r"^(?P<args>.*)\)\s*=\s(?P<result>-?\d+|0x[0-9a-f]+|\?)(?P<meaning>.*?)"
    r"(?:\s<(?P<duration>\d+[.,]\d+)>|\s(?P<bare>\d+\.\d{6}))?\s*$"
)
_UNFINISHED = Pattern(r"^(?P<args>.*?),?\s*<unfinished \.\.\.>\s*\)?(?:\s+=\s(?P<gone>\?))?\s*$")
_QUOTED = re.compile(r'"(?P<data>(?:[^"\\]|\\.)*)(?:"|$)')
_TABLE_HEAD = re.compile(r"^\s*% time\s+seconds\s+usecs/call\s+calls\s+errors\s+(?:syscall|function)\s*$")
_TABLE_ROW = Pattern(
    r"^\s*(?P<share>\d+[.,]\d+)\s+(?P<seconds>\d+[.,]\d+)\s+(?P<each>\d+)?\s+(?P<calls>\d+)"
    r"(?:\s+(?P<errors>\d+))?\s+(?P<call>[a-z_]\w*)\s*$"
)
_TABLE_RULER = re.compile(r"^[\s-]*$")
_PLAIN = Pattern(r"\)\s+= (?:-1 E[A-Z0-9]+ \(|(?:-?\d+|0x[0-9a-f]+|\?)(?: \(.*\))?\s*$)")

NOBODY = -1.0


class _Call(NamedTuple):
    """One line of one call."""

    pid: float
    time: float | None
    call: str
    args: str
    result: str | None
    duration: float | None
    is_resumed: bool
    is_unfinished: bool


STARTS = (
    r".*(?:syscall|function)$",
    r"\s*strace: ",
    r"\s*[a-z_]\w*\(.*(?:\^C|<detached)",
    r".*<\.\.\. [a-z_]\w* resumed>",
    r".*[a-z_][a-z0-9_]*\(.*(?:\s= |\) +=|<unfinished)",
    r"\s*(?:\[pid\s+\d+\]|\d+)\s+[\d:.]+\s.*[a-z_]\w*\(",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether strace output starts at `lines[at]`; a bare `f(x) = 1` needs a second one."""
    line = lines[at]
    if _ATTACHED.match(line):
        return any(_CALL.match(ahead) or _RESUMED.match(ahead) for ahead in lines[at + 1 : at + 4])
    if "(" not in line and "<... " not in line and not line.endswith(("syscall", "function")):
        return False
    if _TABLE_HEAD.match(line) or _RESUMED.match(line) or _OWN_MESSAGE.match(line):
        return True
    found = _CALL.match(line)
    if not found:
        return False
    if is_library_trace(lines[at : at + LOOK_AHEAD]):
        return False
    is_traced = bool(_TRACED.search(line) or _DETACHED.search(line))
    if is_traced or found["pid"]:
        return bool(is_traced or _PLAIN.search(line) or found["time"])
    if not _PLAIN.search(line):
        return False
    following = next((ahead for ahead in lines[at + 1 : at + 4] if ahead.strip()), "")
    return bool(_CALL.match(following) and _PLAIN.search(following)) or bool(_OTHER.match(following))


def continues(line: str) -> bool:
    """Return whether `line` can occur among calls."""
    if not line.strip() or _TABLE_HEAD.match(line) or _TABLE_ROW.match(line) or _TABLE_RULER.match(line):
        return True
    return bool(_CALL.match(line) or _RESUMED.match(line) or _OTHER.match(line) or _OWN_MESSAGE.match(line))


def read(text: Text) -> Reading:
    """Read calls as rows in the order in which they ended, and the summary table as facts."""
    pasted = transcript(text)
    calls: list[tuple[_Call, int]] = []
    facts: list[Fact] = []
    for number, line, _ in pasted.lines:
        if not line.strip() or _TABLE_HEAD.match(line) or _TABLE_RULER.match(line):
            continue
        if row := _TABLE_ROW.match(line):
            facts.extend(_table_facts(row, number))
        elif call := _call(line):
            calls.append((call, number))
        elif other := _OTHER.match(line):
            is_exit = other["what"] in {"exited", "killed", "superseded"}
            pasted.skips.add("end of a process" if is_exit else "signal", number)
        else:
            pasted.skips.add("strace's own message" if _OWN_MESSAGE.match(line) else "not a call", number)
    joined, lost_beginnings = _joined(calls)
    _remark(pasted, joined, lost_beginnings)
    facts.extend(unfinished_reads(joined))
    is_stopped = any(_STOPPED.search(line) for _, line, _ in pasted.lines)
    facts.extend(unfinished_calls(joined, is_stopped=is_stopped))
    facts.extend([] if pasted.is_filtered else longest_gap(calls))
    times = [call.time for call, _ in calls if call.time is not None]
    is_whole = not pasted.is_filtered and not lost_beginnings and len(times) > 1
    files = OpenFiles()
    rows = tuple(_row(call, files) for call, _ in joined)
    lines = tuple(number for _, number in joined)
    duration = max(times[-1] - times[0], 0.0) if is_whole else None
    sets = (RowSet.of_rows("strace", COLUMNS, rows, lines, duration or None),) if rows else ()
    return Reading(
        facts=tuple(facts), row_sets=sets, skipped=pasted.skips.result(), quality=tuple(pasted.quality)
    )


def _remark(pasted: Transcript, joined: Sequence[tuple[_Call, int]], lost_beginnings: int) -> None:
    """Note what is missing: most beginnings, or the end of the last line."""
    if not joined:
        return
    ended = sum(call.is_resumed for call, _ in joined)
    if lost_beginnings > 1 and lost_beginnings * 2 > ended:
        detail = f"{lost_beginnings} calls end here whose beginnings are not shown: lines are left out"
        pasted.remark("excerpt", detail, joined[0][1])
    last, line = joined[-1]
    if last.is_unfinished and line == pasted.lines[-1].number and not pasted.lines[-1].text.endswith("...>"):
        pasted.remark("cut_off", f"the last line stops inside {last.call}", line)


def _call(line: str) -> _Call | None:
    """Read one line of a call, whatever part of it is there."""
    resumed = _RESUMED.match(line)
    found = resumed or _CALL.match(line)
    if not found:
        return None
    pid = re.search(r"\d+", found["pid"] or "")
    rest = found["rest"]
    who, when = float(pid[0]) if pid else NOBODY, _seconds(found["time"])
    if unfinished := _UNFINISHED.match(rest):
        return _Call(
            who, when, found["call"], unfinished["args"], unfinished["gone"], None, bool(resumed), True
        )
    ended = _RESULT.match(rest)
    if not ended:
        args = _DETACHED.sub("", rest)
        return _Call(who, when, found["call"], args.strip(), None, None, bool(resumed), True)
    result = f"{ended['result']}{ended['meaning']}".strip()
    took = ended["duration"] or ended["bare"]
    duration = decimal(took) if took else None
    args = ended["args"].strip()
    return _Call(who, when, found["call"], args, result, duration, bool(resumed), False)


def _joined(calls: Sequence[tuple[_Call, int]]) -> tuple[list[tuple[_Call, int]], int]:
    """Join each resumed call with its beginning; return the rows and how many beginnings are not there."""
    begun: dict[tuple[float, str], tuple[_Call, int]] = {}
    rows: list[tuple[_Call, int]] = []
    lost = 0
    for call, line in calls:
        key = (call.pid, call.call)
        if call.is_resumed:
            start = begun.pop(key, None)
            if start is None:
                lost += 1
            else:
                args = " ".join(part for part in (start[0].args, call.args) if part)
                call = call._replace(args=args)  # noqa: PLW2901 - the row takes the place of its line
        if call.is_unfinished:
            begun[key] = (call, line)
        else:
            rows.append((call, line))
    rows.extend(begun.values())
    return sorted(rows, key=lambda row: row[1]), lost


def _row(call: _Call, files: OpenFiles) -> tuple[Cell, ...]:
    """Return the cells of one call; `file` is the path it opens or reads, "" where that is not known."""
    data = _QUOTED.search(call.args)
    if not call.is_unfinished:
        files.take(call.call, call.args, call.result)
    return (
        None if call.pid == NOBODY else call.pid,
        call.call,
        call.args,
        call.result,
        data["data"] if data else None,
        call.duration,
        float(call.is_resumed),
        float(call.call in WAITING and "FUTEX_WAKE" not in call.args),
        float(call.is_unfinished),
        files.read_by(call.call, call.args),
    )


def _seconds(stamp: str | None) -> float | None:
    """Return seconds of `-t`, `-tt` or `-ttt` stamps, None for relative ones and for none."""
    if not stamp:
        return None
    parts = stamp.strip().split(":")
    if len(parts) == 3:
        hours, minutes, seconds = parts
        return 3600 * int(hours) + 60 * int(minutes) + float(seconds)
    return float(parts[0]) if len(parts[0].partition(".")[0]) >= 9 else None


def _table_facts(row: re.Match[str], number: int) -> Iterator[Fact]:
    """Yield the values of one row of `strace -c`; the total is a sum, not a call."""
    if row["call"] == "total":
        return
    labels, lines = {"call": row["call"]}, Lines.at(number)
    yield Fact("syscall.count", float(row["calls"]), lines, "count", labels)
    yield Fact("syscall.seconds", decimal(row["seconds"]), lines, "seconds", labels)
    yield Fact("syscall.errors", float(row["errors"] or 0), lines, "count", labels)
