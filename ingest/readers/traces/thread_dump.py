"""Stacks of all threads of a run-time: jstack of Java, py-spy dump and pystack of Python.

Examples:
    "pool-worker-0" #10 daemon prio=5 os_prio=0 cpu=1.2ms tid=0x00007f nid=0x37f1 waiting for monitor entry
       java.lang.Thread.State: BLOCKED (on object monitor)
        at Busy.hold(Busy.java:3)
        - waiting to lock <0x000000071a> (a java.lang.Class for Busy)

    Thread 14996 (idle): "reader-0"
        waiter (spin.py:5)

    Traceback for thread 14999 (python) [] (most recent call last):
        (Python) File "threading.py", line 1002, in _bootstrap

One look: presence, no shares. Java and py-spy print the innermost frame first, pystack last.
Source: jstack(1); py-spy's src/dump.rs; pystack's src/pystack/traceback_formatter.py.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.profile import Frame, Thread
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import UNNAMED, PlacedFrame, StackBuilder
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "thread-dump"
VERSION = 2
TITLE = "Stacks of a run-time's threads"
COMMAND = "py-spy dump --pid 1"
EXAMPLE = 'Thread 14996 (idle): "reader-0"\n    waiter (spin.py:5)\n    Thread.run (threading.py:982)'

_JAVA = Pattern(
    r'^"(?P<comm>.*?)"(?: #\d+(?: \[\d+\])?)?(?: daemon)?(?: .*)? (?:nid=(?P<nid>0x[0-9a-f]{1,12}'
    r"|\d{1,12}))(?: (?P<state>.*?))?\s*$"
)
_JAVA_STATE = Pattern(r"^\s+java\.lang\.Thread\.State: (?P<state>.+?)\s*$")
_JAVA_FRAME = Pattern(r"^\s+at (?:[\w.@-]+/)*(?P<name>[\w$.<>/-]+)\((?P<module>[^)]*)\)\s*$")
_JAVA_LOCK = re.compile(r"^\s+- (?P<what>.*)$")
_JAVA_HEAD = re.compile(
    r"^(?:Full thread dump|Threads class SMR info|_java_thread_list=|JNI global refs|\d{4}-\d\d-\d\d"
    r" \d\d:\d\d:\d\d$|0x[0-9a-f]{8,}|\}|Locked ownable synchronizers)|^\s+(?:Locked ownable"
    r" synchronizers:|JVMTI)"
)
_PYSPY = re.compile(r'^Thread (?:0x)?(?P<tid>[0-9A-F]{1,12}) \((?P<state>[a-z+]+)\)(?:: "(?P<comm>.*)")?\s*$')
_PYSPY_FRAME = re.compile(r"^ {4}(?P<name>\S.*?) \((?P<module>[^()]+?)(?::\d+)?\)\s*$")
_PYSPY_HEAD = re.compile(r"^(?:Process \d+: |Python v\d|Parent process|Arguments:|\s+Locals:)")
_PYSTACK = Pattern(
    r"^Traceback for thread (?P<tid>\d{1,12})(?: \((?P<comm>.*?)\))? \[(?P<state>.*?)\] \(most recent"
    r" call last\):\s*$"
)
_PYSTACK_FRAME = Pattern(
    r'^\s+\((?P<kind>Python|C|C\+\+)\) File "(?P<module>[^"]*)", line \d+, in (?P<name>.+?)\s*$'
)
_SOURCE = re.compile(r"^ {8}\S")


STARTS = (
    "Full thread dump |Traceback for thread |Process ",
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$",
    r'".*nid=',
    r"Thread (?:0x)?[0-9A-F]+ \(",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a dump starts at `lines[at]`: its head, or a thread with a frame below."""
    line = lines[at]
    if line.startswith("Full thread dump ") or _PYSTACK.match(line):
        return True
    if re.match(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$", line) or line.startswith("Process "):
        ahead = [one for one in lines[at + 1 : at + 6] if one.strip()]
        return any(one.startswith("Full thread dump ") or _PYSPY.match(one) for one in ahead)
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if _JAVA.match(line):
        return bool(_JAVA_STATE.match(below) or _JAVA_FRAME.match(below))
    return bool(_PYSPY.match(line) and _PYSPY_FRAME.match(below))


def continues(line: str) -> bool:
    """Return whether `line` can occur in a dump."""
    shapes = (
        *(_JAVA, _JAVA_STATE, _JAVA_FRAME, _JAVA_LOCK, _JAVA_HEAD),
        *(_PYSPY, _PYSPY_FRAME, _PYSPY_HEAD, _PYSTACK, _PYSTACK_FRAME, _SOURCE),
    )
    return any(shape.match(line) for shape in shapes)


class _Dump:
    """Collects threads."""

    def __init__(self) -> None:
        """Start without one."""
        self.builder = StackBuilder()
        self.rows = Rows("thread_dump")
        self._frames: list[PlacedFrame] = []
        self._thread = UNNAMED
        self._state = ""
        self._line = 0
        self._waits = ""
        self._is_caller_first = False

    def open(self, line: int, comm: str, tid: int, state: str, *, is_caller_first: bool = False) -> None:
        """Begin a thread."""
        self.close()
        self._thread, self._state, self._line = Thread(comm, -1, tid), state, line
        self._is_caller_first = is_caller_first

    def state(self, state: str) -> None:
        """Note what the thread does."""
        self._state = state

    def waits(self, what: str) -> None:
        """Note what the thread waits for; the first is the one that counts."""
        if what.startswith(("waiting", "parking", "eliminated")):
            self._waits = self._waits or what

    def frame(self, name: str, module: str, kind: str, line: int) -> None:
        """Add a frame to the open thread."""
        self._frames.append(PlacedFrame(Frame(name, module, kind), line))

    def close(self) -> None:
        """End the open thread."""
        if self._line:
            leaf_first = self._frames[::-1] if self._is_caller_first else self._frames
            if leaf_first:
                self.builder.add(leaf_first, line=self._line, thread=self._thread)
            self.rows.add(
                self._line,
                {
                    "comm": self._thread.comm,
                    "tid": float(self._thread.tid),
                    "state": self._state,
                    "waits_for": self._waits or None,
                    "function": leaf_first[0].frame.name if leaf_first else None,
                },
            )
        self._frames, self._line, self._waits = [], 0, ""


def _number(text: str) -> int:
    """Return what Java prints in hexadecimal before version 19 and in decimal since: `0x37f1`, `14321`."""
    return int(text, 16 if text.startswith("0x") else 10)


def read(text: Text) -> Reading:
    """Read every thread as one sample and one row."""
    pasted = transcript(text)
    dump = _Dump()
    for number, line, _ in pasted.lines:
        if found := _JAVA.match(line):
            dump.open(number, found["comm"], _number(found["nid"]), found["state"] or "")
        elif found := _PYSPY.match(line):
            tid = found["tid"]
            dump.open(
                number, found["comm"] or "", int(tid) if tid.isdecimal() else int(tid, 16), found["state"]
            )
        elif found := _PYSTACK.match(line):
            dump.open(number, found["comm"] or "", int(found["tid"]), found["state"], is_caller_first=True)
        elif found := _JAVA_STATE.match(line):
            dump.state(found["state"])
        elif found := _JAVA_FRAME.match(line):
            dump.frame(found["name"], found["module"].partition(":")[0], "jit", number)
        elif (found := _PYSTACK_FRAME.match(line)) or (found := _PYSPY_FRAME.match(line)):
            dump.frame(found["name"], found["module"], "user", number)
        elif found := _JAVA_LOCK.match(line):
            dump.waits(found["what"])
        elif _SOURCE.match(line):
            pasted.skips.add("a line of source code", number)
        elif line.strip() and not _JAVA_HEAD.match(line) and not _PYSPY_HEAD.match(line):
            pasted.skips.add("not a frame", number)
    dump.close()
    if not len(dump.builder):
        return Reading(skipped=pasted.skips.result(), quality=tuple(pasted.quality))
    profile = dump.builder.build(event="", unit="count", what="bare", has_weights=False)
    detail = f"{len(dump.builder):,} threads, one look at each: shows presence, not shares"
    pasted.remark("no_weights", detail, text.first_line)
    return Reading(
        profiles=(profile,),
        row_sets=dump.rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
