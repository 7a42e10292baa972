"""Stacks without weights of one section, with the threads that their headers or paths name.

read(Text(["=== 101 jbd2/dm-0-8", "[<0>] kjournald2+0xa9/0x280"], 1))
-> Reading(profiles=(one sample of thread 101,), …)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.profile import Frame, Thread
from ingest.model.reading import Quality, Reading, SkipCounter
from ingest.parsing.bare_stacks import headers
from ingest.parsing.bare_stacks.frames import OF_FILE, Printed, frame, number_of
from ingest.parsing.bare_stacks.headers import Header, header
from ingest.parsing.profile_builder import UNNAMED, PlacedFrame, StackBuilder, kind_of_stack
from ingest.parsing.series import Rows

if TYPE_CHECKING:
    from ingest.model.reading import Cell
    from ingest.model.section import Text

_THREAD_PATH = re.compile(r"(?:^|/)proc/(?P<pid>\d{1,10})/(?:task/(?P<tid>\d{1,10})/)?stack$")
_UNREADABLE = re.compile(r"^(?:cat|grep|head): .*\b(?:stack|comm|status|wchan)'?: [A-Z]")
_REGISTERS = re.compile(r"^\s+(?:RIP|RAX|RBX|RCX|RDX|RSI|RDI|RBP|RSP|R\d\d?|ORIG_RAX|CS|PC|LR|SP): [0-9a-f]")
_GDB_NOISE = re.compile(
    r"^(?:\[New (?:LWP|Thread) |\[Thread debugging using |Using host libthread_db|\[Inferior \d+ "
    r"|\[Switching to thread |Reading symbols from |\(More stack frames follow|Backtrace stopped:"
    r"|\(gdb\)|warning: |0x[0-9a-f]{6,} in |\d+\t)"
)


def continues(line: str) -> bool:
    """Return whether `line` can occur between the first and last frame of pasted stacks."""
    if not line.strip() or frame(line) is not None or number_of(line) is not None:
        return True
    is_noise = _GDB_NOISE.match(line) or _UNREADABLE.match(line) or _REGISTERS.match(line)
    return bool(is_noise or headers.SEPARATOR.match(line) or header(line) or headers.completes(line))


class _Stacks:
    """Collects frames until a stack ends."""

    def __init__(self) -> None:
        """Start without an open stack."""
        self.builder = StackBuilder()
        self.tasks = Rows("stack_tasks")
        self.first_line = 0
        self.thread = UNNAMED
        self._open: list[tuple[Printed, int]] = []
        self._has_row = False

    def push(self, printed: Printed, line: int) -> None:
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

    def name(self, known: Header | None) -> None:
        """State who runs the stack that begins."""
        if known is not None:
            self.thread = Thread(known.comm, known.pid, known.tid)

    def row(self, known: Header, line: int) -> None:
        """Add the row of a thread of a memory dump, or of one whose state is printed."""
        self._has_row = bool(known.state or known.is_dump)
        if self._has_row:
            cells: dict[str, Cell] = {"tid": float(known.tid), "comm": known.comm, "state": known.state}
            self.tasks.add(
                line, cells | {"idle_s": known.idle_s, "of_dump": "yes" if known.is_dump else "no"}
            )

    def complete(self, known: Header, line: int) -> None:
        """Replace the row of the last thread."""
        if self._has_row:
            line, _ = self.tasks.rows.pop()
        self.row(known, line)

    def starts_anew(self, line: str) -> bool:
        """Return whether `line` is the first frame of another stack."""
        return bool(self._open) and number_of(line) == 0


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
    known: Header | None = None
    for number, line in enumerate(text.lines, start=text.first_line):
        printed = frame(line)
        if printed:
            if file := OF_FILE.match(line):
                thread = Thread("", int(file["pid"]), int(file["tid"] or file["pid"]))
                if stacks.thread != thread:
                    stacks.close(thread)
            elif stacks.starts_anew(line):
                stacks.close()
            stacks.name(known)
            stacks.push(printed, number)
            known = None
        elif not line.strip():
            stacks.close()
        elif found := header(line):
            stacks.close()
            known = found
            stacks.row(found, number)
        elif known and (found := headers.completed(known, line)):
            known = found
            stacks.complete(found, number)
        elif known and headers.WCHAN.match(line):
            skips.add("wait channel above its stack", number)
        elif _UNREADABLE.match(line):
            skips.add("a file that could not be read", number)
        elif headers.SEPARATOR.match(line):
            stacks.close()
            known = None
            skips.add("not a frame", number)
        elif _REGISTERS.match(line):
            skips.add("registers", number)
        elif _GDB_NOISE.match(line):
            skips.add("debugger's own message", number)
        else:
            skips.add("wrapped frame" if last_was_frame else "not a frame", number)
        last_was_frame = printed is not None
    stacks.close()
    tasks = stacks.tasks.sets()
    if not len(stacks.builder):
        return Reading(row_sets=tasks, skipped=skips.result())
    profile = stacks.builder.build(event="", unit="count", what="bare", has_weights=False)
    count = len(stacks.builder)
    noun = "one stack" if count == 1 else f"{count} stacks"
    remark = Quality("no_weights", f"{noun} without weights: shows presence, not shares", stacks.first_line)
    return Reading(profiles=(profile,), row_sets=tasks, skipped=skips.result(), quality=(remark,))
