"""Stacks without weights: pasted backtraces, `/proc/PID/stack`, gdb and crash.

Examples:
    #0  shrink_lruvec
    #1  shrink_node

    [<0>] futex_wait_queue+0x60/0x90
    [<0>] do_futex+0xc7/0x110

    Thread 2 (Thread 0x7f41 (LWP 14033) "arrow-read-00"):
    #0  0x0000555f8e5ce25e in walk_file_pages (p=0x0) at stress.c:35

    PID: 1234   TASK: ffff8800b8593af8  CPU: 3   COMMAND: "kworker/3:1"
     #0 [ffffc90000a0fe38] __schedule at ffffffff8185cb45

What such a stack shows is presence: that these functions called each other once. Shares mean nothing. A path
`/proc/PID/task/TID/stack` identifies the thread.

Sources: proc_pid_stack in fs/proc/base.c (`[<0>] %pB`); gdb's `backtrace`; crash's `bt`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.profile import Frame, Thread
from ingest.model.reading import Quality, Reading, SkipCounter
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import UNNAMED, PlacedFrame, StackBuilder, kind_of_stack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "bare-stack"
VERSION = 2
PRIORITY = 80
TITLE = "Stacks without weights"
COMMAND = "cat ./stack.txt"
EXAMPLE = "#0  shrink_lruvec\n#1  shrink_node\n#2  do_try_to_free_pages"

_NUMBERED = Pattern(r"^\s*#(?P<number>\d{1,9})\s+(?P<rest>\S.*?)\s*$")
_GDB = re.compile(r"^(?:0x[0-9a-f]+ in )?(?P<name>[^\s(].*?) \((?P<args>.*)$")
_GDB_MODULE = re.compile(r" from (?P<module>/\S+)\s*$")
_CRASH = re.compile(r"^\[[0-9a-f]+\] (?P<name>\S+) at [0-9a-f]+(?: \[(?P<module>[\w-]+)\])?")
_PLAIN = Pattern(
    r"^(?:0x[0-9a-f]+ in )?(?P<name>[^\s(]+?)(?:\+(?:0x)?[0-9a-f]+(?:/0x[0-9a-f]+)?)?"
    r"(?: \[(?P<module>[\w-]+)\])?$"
)
_OFFSET = re.compile(
    r"^\s*(?:\[<(?:0x)?[0-9a-f]*>\]\s+)?(?P<name>[\w.$]+)\+0x[0-9a-f]+/0x[0-9a-f]+"
    r"(?:\s+\[(?P<module>[\w-]+)(?: [0-9a-f]{16,})?\])?\s*$"
)
_ADDRESS_ONLY = re.compile(r"^\s*\[<(?:0x)?(?P<name>[0-9a-f]+)>\]\s+(?:0x)?[0-9a-f]+\s*$")
_OFFSET_MARKED = re.compile(r"^\s*\[<(?:0x)?[0-9a-f]*>\]\s+\S")
_GDB_THREAD = Pattern(
    r"^\s*Thread (?P<ordinal>[\d.]+) \((?:Thread 0x[0-9a-f]+ \()?(?:LWP (?P<tid>\d{1,10})\)?)?"
    r"[^\"]*?(?:\"(?P<comm>.*)\")?\)?\s*:?\s*$"
)
_CRASH_TASK = re.compile(r"^PID: (?P<pid>\d{1,10})\s+TASK: [0-9a-f]+\s+CPU: \d+\s+COMMAND: \"(?P<comm>.*)\"")
_ADDRESSED = re.compile(r"0x[0-9a-f]|\(| at ")
_SEPARATOR = re.compile(
    r"^\s*+={2,}+\s*+(?:/proc/\d++/task/)?+(?P<tid>\d{1,10}+)?+(?:/stack)?+[\s:]*+(?P<comm>[^=>]*+)=*+\s*+$"
)
_THREAD_PATH = re.compile(r"(?:^|/)proc/(?P<pid>\d{1,10})/(?:task/(?P<tid>\d{1,10})/)?stack$")
_GDB_NOISE = re.compile(
    r"^(?:\[New (?:LWP|Thread) |\[Thread debugging using |Using host libthread_db|\[Inferior \d+ "
    r"|\[Switching to thread |Reading symbols from |\(More stack frames follow|Backtrace stopped:"
    r"|\(gdb\)|warning: |0x[0-9a-f]{6,} in |\d+\t)"
)


class _Printed(NamedTuple):
    """One frame as printed; `kind` is "" where the stack as a whole decides."""

    name: str
    module: str
    kind: str


def _frame(line: str) -> _Printed | None:
    """Read one frame line of any of the shapes."""
    if found := _OFFSET.match(line):
        return _Printed(found["name"], found["module"] or "", "kernel")
    if found := _ADDRESS_ONLY.match(line):
        return _Printed(f"0x{found['name']}", "", "kernel")
    numbered = _NUMBERED.match(line)
    if not numbered:
        return None
    rest = numbered["rest"]
    if rest.startswith("<signal handler called>"):
        return _Printed("<signal handler called>", "", "user")
    if found := _CRASH.match(rest):
        return _Printed(found["name"], found["module"] or "", "kernel")
    if found := _GDB.match(rest):
        module = _GDB_MODULE.search(rest)
        return _Printed(found["name"], module["module"] if module else "", "user")
    if found := _PLAIN.match(rest):
        return _Printed(found["name"], found["module"] or "", "")
    return None


def _numbered_at(line: str) -> int | None:
    """Return the number of a `#n` line."""
    found = _NUMBERED.match(line)
    return int(found["number"]) if found else None


STARTS = (
    r"\[New LWP |\[Thread debugging",
    _CRASH_TASK.pattern,
    r"\s*Thread [\d.]+ \(",
    r"\s*==",
    r"\s*\[<",
    _OFFSET.pattern,
    r"\s*#\d+\s",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a bare stack starts at `lines[at]`: it is two frames in a row, or a thread header."""
    line = lines[at]
    following = next((text for text in lines[at + 1 : at + 4] if text.strip()), "")
    if line.startswith(("[New LWP ", "[Thread debugging using ")) or _CRASH_TASK.match(line):
        return True
    if _GDB_THREAD.match(line):
        return _numbered_at(following) == 0
    if re.match(r"^\s*==", line):
        return bool(_SEPARATOR.match(line) and _OFFSET_MARKED.match(following))
    if _OFFSET_MARKED.match(line):
        return _frame(line) is not None
    if _OFFSET.match(line):
        return bool(_OFFSET.match(following))
    number = _numbered_at(line)
    if number is None or _frame(line) is None:
        return False
    if number and "." in line and not _ADDRESSED.search(line):
        return False  # an entry of a numbered list with comments: `#1  inr.ac`
    return _numbered_at(following) == number + 1 and _frame(following) is not None


def continues(line: str) -> bool:
    """Return whether `line` can occur between the first and last frame of pasted stacks."""
    if not line.strip() or _frame(line) is not None:
        return True
    shapes = (_GDB_THREAD, _CRASH_TASK, _SEPARATOR, _GDB_NOISE, _NUMBERED)
    return any(shape.match(line) for shape in shapes)


class _Stacks:
    """Collects frames until a stack ends."""

    def __init__(self) -> None:
        """Start without an open stack."""
        self.builder = StackBuilder()
        self.first_line = 0
        self.thread = UNNAMED
        self._open: list[tuple[_Printed, int]] = []

    def push(self, printed: _Printed, line: int) -> None:
        """Append one frame to the open stack."""
        self.first_line = self.first_line or line
        self._open.append((printed, line))

    def close(self, thread: Thread = UNNAMED) -> None:
        """End the open stack; what follows runs on `thread`."""
        if self._open:
            inferred = kind_of_stack(printed.name for printed, _ in self._open)
            placed_frames = [
                PlacedFrame(Frame(name, module, kind or inferred), line)
                for (name, module, kind), line in self._open
            ]
            self.builder.add(placed_frames, line=self._open[0][1], thread=self.thread)
            self._open = []
        self.thread = thread

    def starts_anew(self, line: str) -> bool:
        """Return whether `line` is the first frame of another stack."""
        return bool(self._open) and _numbered_at(line) == 0


def _thread_of(path: str) -> Thread:
    """Return the thread whose file this is, no thread if the path has none."""
    found = _THREAD_PATH.search(path)
    if found is None:
        return UNNAMED
    return Thread("", int(found["pid"]), int(found["tid"] or found["pid"]))


def read(text: Text) -> Reading:
    """Read every stack as one sample of one profile."""
    stacks = _Stacks()
    stacks.thread = _thread_of(text.path)
    skips = SkipCounter()
    last_was_frame = False
    for number, line in enumerate(text.lines, start=text.first_line):
        printed = _frame(line)
        if printed:
            if stacks.starts_anew(line):
                stacks.close()
            stacks.push(printed, number)
        elif not line.strip():
            stacks.close()
        elif header := _GDB_THREAD.match(line):
            stacks.close(Thread(header["comm"] or "", -1, int(header["tid"] or -1)))
        elif header := _CRASH_TASK.match(line):
            stacks.close(Thread(header["comm"], int(header["pid"]), int(header["pid"])))
        elif (header := _SEPARATOR.match(line)) and (header["tid"] or not header["comm"].strip()):
            stacks.close(Thread(header["comm"].strip(), -1, int(header["tid"] or -1)))
        elif _GDB_NOISE.match(line):
            skips.add("debugger's own message", number)
        else:
            skips.add("wrapped frame" if last_was_frame else "not a frame", number)
        last_was_frame = printed is not None
    stacks.close()
    if not len(stacks.builder):
        return Reading(skipped=skips.result())
    profile = stacks.builder.build(event="", unit="count", what="bare", has_weights=False)
    count = len(stacks.builder)
    noun = "one stack" if count == 1 else f"{count} stacks"
    remark = Quality("no_weights", f"{noun} without weights: shows presence, not shares", stacks.first_line)
    return Reading(profiles=(profile,), skipped=skips.result(), quality=(remark,))
