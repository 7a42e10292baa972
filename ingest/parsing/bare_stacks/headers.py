"""Lines that name the thread of the stack below them.

Examples:
    Thread 2 (Thread 0x7f41 (LWP 14033) "arrow-read-00"):
    PID: 1234   TASK: ffff8800b8593af8  CPU: 3   COMMAND: "kworker/3:1"
    [0 00:00:01.609] [D]  PID: 103      TASK: ffff888013e98000  CPU: 0  COMMAND: "ext4lazyinit"
    === 101 jbd2/dm-0-8 ===
    --- /proc/101 jbd2/dm-0-8 ---
    PID: 101 jbd2/dm-0-8

`Name:` and `State:` lines of /proc/PID/status below a header complete it.
Sources: gdb's `thread apply all bt`; crash's `bt` and `ps -m`, which prints the time since a task last ran;
the loops over /proc that people write.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern
from ingest.parsing.bare_stacks.frames import OF_FILE, OFFSET_MARKED, OFFSET_ONLY, number_of

if TYPE_CHECKING:
    from collections.abc import Sequence

STATES = {"RU": "R", "IN": "S", "UN": "D", "ID": "I", "ST": "T", "TR": "t", "ZO": "Z", "DE": "X", "PA": "P"}
"""crash's names of task states, as /proc prints them (crash, task.c)."""

LOOK_AHEAD = 6
"""A stack follows the header that a loop over /proc prints within so many lines."""

_DAY = 86_400.0

GDB_THREAD = Pattern(
    r"^\s*Thread (?P<ordinal>[\d.]+) \((?:Thread 0x[0-9a-f]+ \()?(?:LWP (?P<tid>\d{1,10})\)?)?"
    r"[^\"]*?(?:\"(?P<comm>.*)\")?\)?\s*:?\s*$"
)
CRASH_TASK = re.compile(
    r"^\s*(?:\[(?P<days>\d{1,5}) (?P<hours>\d\d):(?P<minutes>\d\d):(?P<seconds>\d\d\.\d+)\]\s+"
    r"\[(?P<was>[A-Za-z]{1,2})\]\s+)?PID: (?P<pid>\d{1,10})\s+TASK: [0-9a-f]+\s+"
    r"(?:\[(?P<state>[A-Za-z]{1,2})\]\s+)?CPU: \S+\s+COMMAND: \"(?P<comm>.*)\""
)
SEPARATOR = re.compile(
    r"^\s*+={2,}+\s*+(?:/proc/\d++/task/)?+(?P<tid>\d{1,10}+)?+(?:/stack)?+[\s:]*+(?P<comm>[^=>]*+)=*+\s*+$"
)
_RULED = Pattern(
    r"^\s*[-#*=]{2,}\s*(?:/proc/(?:\d{1,10}/task/)?)?(?P<tid>\d{1,10})(?:/stack)?[\s:,]*"
    r"(?P<comm>[^\s*#=>]\S*)?\s*[-#*=]*\s*$"
)
_NAMED = Pattern(
    r"^\s*(?:(?:PID|Pid|pid|TID|Tid|tid)\b\s*[:=]?\s*|/proc/(?:\d{1,10}/task/)?)(?P<tid>\d{1,10})"
    r"(?:/stack)?(?:[\s:,(]+(?P<comm>[^\s():,][^\s(),]*)\)?)?\s*:?\s*$"
)
_STAMPED = Pattern(
    r"^\d\d:\d\d:\d\d(?:\.\d+)?\s+\[\d{1,5}\]\s+(?P<comm>\S.{0,20}?)\s+(?P<tid>\d{1,10})(?:\s+\d+)?\s*$"
)
"""A time, a CPU and a thread above a stack, as tools of bcc print."""

_SELECTED = Pattern(r"^\[Switching to thread [\d.]+ \(.*\bLWP (?P<tid>\d{1,10})\)")
_NAME = Pattern(r"^Name:\s+(?P<comm>\S.*?)\s*$")
_STATE = re.compile(r"^State:\s+(?P<state>[A-Za-z])(?: \(.*\))?\s*$")

STARTS = (
    r"\s*Thread [\d.]+ \(",
    CRASH_TASK.pattern,
    r"\s*[-#*=]{2}",
    r"\s*(?:PID|Pid|pid|TID|Tid|tid)\b",
    r"/proc/\d",
    r"\d\d:\d\d:\d\d(?:\.\d+)?\s+\[\d",
)


class Header(NamedTuple):
    """A thread.

    Attributes:
        pid: Process id, -1 when not printed.
        tid: Thread id, -1 when not printed.
        comm: Name, "" when not printed.
        state: State as /proc prints it, "" when not printed.
        idle_s: Seconds since it last ran, None when not printed.
        is_dump: A debugger of a memory dump printed it: what is printed twice is of the same moment.
    """

    pid: int
    tid: int
    comm: str
    state: str = ""
    idle_s: float | None = None
    is_dump: bool = False


def begins(lines: Sequence[str], at: int) -> bool | None:
    """Return whether stacks start at the header `lines[at]`; None when it is no header."""
    line = lines[at]
    if CRASH_TASK.match(line):
        return True
    following = next((text for text in lines[at + 1 : at + 4] if text.strip()), "")
    if GDB_THREAD.match(line):
        return number_of(following) == 0 or following.startswith("$1 = ")
    if OF_FILE.match(line):
        return True
    if _STAMPED.match(line):
        return bool(OFFSET_ONLY.match(following))
    is_loop = _RULED.match(line) or _NAMED.match(line) or SEPARATOR.match(line)
    if not is_loop:
        return None
    ahead = lines[at + 1 : at + 1 + LOOK_AHEAD]
    if any(OFFSET_MARKED.match(text) for text in ahead):
        return all(
            OFFSET_MARKED.match(text) or not text.strip() or header(text) or completes(text)
            for text in ahead[: next(n for n, text in enumerate(ahead) if OFFSET_MARKED.match(text))]
        )
    return bool(_NAMED.match(line)) and number_of(following) == 0


def header(line: str) -> Header | None:
    """Read a line that names a thread; None for other lines."""
    if found := GDB_THREAD.match(line):
        return Header(-1, int(found["tid"] or -1), found["comm"] or "")
    if task := CRASH_TASK.match(line):
        state = task["state"] or task["was"] or ""
        pid = int(task["pid"])
        return Header(pid, pid, task["comm"], STATES.get(state, state), _idle(task), is_dump=True)
    if separator := SEPARATOR.match(line):
        if separator["tid"] or not separator["comm"].strip():
            return Header(-1, int(separator["tid"] or -1), separator["comm"].strip())
        return None
    if named := _RULED.match(line) or _NAMED.match(line) or _STAMPED.match(line):
        return Header(-1, int(named["tid"]), named["comm"] or "")
    return None


def selected(line: str) -> Header | None:
    """Read the thread that gdb's `thread N` selects; None for other lines."""
    found = _SELECTED.match(line)
    return Header(-1, int(found["tid"]), "") if found else None


def completed(known: Header, line: str) -> Header | None:
    """Return a header with what a line of /proc/PID/status adds, None for other lines."""
    if name := _NAME.match(line):
        return known._replace(comm=name["comm"])
    if state := _STATE.match(line):
        return known._replace(state=state["state"])
    return None


def completes(line: str) -> bool:
    """Return whether a line is one of /proc/PID/status that completes a header, or a wait channel."""
    return bool(_NAME.match(line) or _STATE.match(line) or WCHAN.match(line))


WCHAN = re.compile(r"^(?:0|[a-z_][a-z0-9]*_[a-z0-9_.]+)\s*$")
"""A wait channel between a header and its stack: the stack repeats it."""


def _idle(task: re.Match[str]) -> float | None:
    if task["days"] is None:
        return None
    hours = int(task["hours"]) * 3600.0 + int(task["minutes"]) * 60.0 + float(task["seconds"])
    return int(task["days"]) * _DAY + hours
