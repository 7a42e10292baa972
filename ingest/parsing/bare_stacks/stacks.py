"""Stacks without weights of one section, with the threads that their headers or paths name.

read(Text(["=== 101 jbd2/dm-0-8", "[<0>] kjournald2+0xa9/0x280"], 1))
-> Reading(profiles=(one sample of thread 101,), …)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.engines.threads import remarks
from ingest.model.profile import Frame, Thread
from ingest.model.reading import Quality, Reading, SkipCounter
from ingest.parsing.bare_stacks import headers, user_locks
from ingest.parsing.bare_stacks.frames import OF_FILE, Printed, frame, is_pointer, number_of
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
    r"|\(gdb\)|warning: |0x[0-9a-f]{6,} in |\d+\t|No locals\.$|No symbol table info available\.$"
    r"|[A-Za-z_][\w.]* \(.*\) at \S+:\d+$)"
)
WRAPPED = re.compile(r"^\s*(?:(?:at|from) \S+:\d+|at \S+|[A-Za-z_]\w*=\S.*\) at \S+:\d+)\s*$")
"""The end of a frame of gdb that was printed on a line of its own, mostly between empty lines."""

_LOCAL = re.compile(r"^ {8}[A-Za-z_]\w* = ")
_PRINTED = re.compile(r"^\$\d+ = ")


MOST_STACKS = 20_000
"""Stacks that are read of one text; more are of leaks, where those after them are alike."""

BEYOND = "line beyond the stacks that are read"


def continues(line: str) -> bool:
    """Return whether `line` can occur between the first and last frame of pasted stacks."""
    if not line.strip() or frame(line) is not None or number_of(line) is not None:
        return True
    is_noise = any(
        shape.match(line) for shape in (_GDB_NOISE, _UNREADABLE, _REGISTERS, _LOCAL, _PRINTED, WRAPPED)
    )
    return bool(is_noise or headers.SEPARATOR.match(line) or header(line) or headers.completes(line))


class _Stacks:
    """Collects frames until a stack ends."""

    def __init__(self) -> None:
        """Start without an open stack."""
        self.builder = StackBuilder()
        self.tasks = Rows("stack_tasks")
        self.locks, self.owners = Rows("user_locks"), Rows("user_lock_owners")
        self.remarks = Rows(remarks.ROWS)
        self.first_line = 0
        self.thread = UNNAMED
        self._open: list[tuple[Printed, int]] = []
        self._has_row = False
        self._waits = False
        self.last_number: int | None = None

    @property
    def count(self) -> int:
        """How many stacks there are, with the open one."""
        return len(self.builder) + bool(self._open)

    def push(self, printed: Printed, text: str, line: int) -> None:
        """Append one frame to the open stack."""
        self.first_line = self.first_line or line
        if not self._open:
            self._waits = False
        self._open.append((printed, line))
        if printed.kind == "kernel" and (remark := remarks.remark_of(text)):
            relation, lock = remark
            first = float(self._open[0][1])
            self.remarks.add(line, {"stack_line": first, "relation": relation, "lock": lock})
        self._waits = self._waits or user_locks.is_waiting(printed.name)
        if self._waits and (user_lock := user_locks.wanted(printed.name, text)):
            self._note_lock(user_lock, line)

    def _note_lock(self, lock: user_locks.Wanted, line: int) -> None:
        """Note the lock that the open stack waits for; the outermost function that takes it counts."""
        first_line, depth = float(self._open[0][1]), float(len(self._open))
        cells: dict[str, Cell] = {"stack_line": first_line, "depth": depth, **lock._asdict()}
        last = self.locks.rows[-1][1] if self.locks.rows else {}
        if last.get("stack_line") == first_line:
            if last["depth"] != depth - 1:
                return
            self.locks.rows.pop()
            cells |= {} if lock.address else {"address": last["address"], "symbol": last["symbol"]}
        self.locks.add(line, cells)

    def owned(self, known: Header, lock: user_locks.Owned, line: int) -> None:
        """Add the owner of a lock that gdb prints below the header of a thread."""
        if known.tid >= 0 and lock.tid:
            self.owners.add(line, {"tid": float(known.tid), "kind": lock.kind, "owner_tid": float(lock.tid)})

    def close(self, thread: Thread = UNNAMED) -> None:
        """End the open stack; what follows runs on `thread`."""
        if self._open:
            stated = {printed.kind for printed, _ in self._open} - {""}
            inferred = stated.pop() if len(stated) == 1 else kind_of_stack(p.name for p, _ in self._open)
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

    def starts_anew(self, line: str, *, is_apart: bool) -> bool:
        """Return whether `line` is the first frame of another stack.

        Args:
            line: A frame.
            is_apart: Empty lines stand before it: only the next number goes on.
        """
        number, last, self.last_number = number_of(line), self.last_number, number_of(line)
        return bool(self._open) and (number == 0 or (is_apart and (number is None or number - 1 != last)))


def _thread_of(path: str) -> Thread:
    """Return the thread whose file this is, no thread if the path has none."""
    found = _THREAD_PATH.search(path)
    if found is None:
        return UNNAMED
    return Thread("", int(found["pid"]), int(found["tid"] or found["pid"]))


def _why_skipped(line: str, *, last_was_frame: bool, is_named: bool) -> str:
    """Return what a line is that neither prints a frame nor names a thread."""
    if is_named and headers.WCHAN.match(line):
        return "wait channel above its stack"
    for shape, what in (
        (_UNREADABLE, "a file that could not be read"),
        (headers.SEPARATOR, "not a frame"),
        (_REGISTERS, "registers"),
        (_LOCAL, "a value that gdb prints"),
        (_PRINTED, "a value that gdb prints"),
        (_GDB_NOISE, "debugger's own message"),
    ):
        if shape.match(line):
            return what
    return "wrapped frame" if last_was_frame else "not a frame"


def _beyond(text: Text, number: int, skips: SkipCounter) -> Quality:
    """Count the lines from `number` on; return the remark that they are not read."""
    skips.add(BEYOND, number, text.first_line + len(text.lines) - number)
    detail = f"the first {MOST_STACKS:,} stacks are read; those from line {number:,} on are not"
    return Quality("excerpt", detail, number)


def read(text: Text) -> Reading:
    """Read every stack as one sample of one profile."""
    stacks = _Stacks()
    stacks.thread = _thread_of(text.path)
    skips = SkipCounter()
    last_was_frame = is_apart = False
    known: Header | None = None
    selected: Header | None = None
    quality: tuple[Quality, ...] = ()
    for number, line in enumerate(text.lines, start=text.first_line):
        if stacks.count >= MOST_STACKS and header(line):
            quality = (_beyond(text, number, skips),)
            break
        printed = frame(line)
        if printed and is_pointer(line):
            skips.add("a pointer on the stack, not a frame", number)
        elif printed:
            if file := OF_FILE.match(line):
                thread = Thread("", int(file["pid"]), int(file["tid"] or file["pid"]))
                if stacks.thread != thread:
                    stacks.close(thread)
            elif stacks.starts_anew(line, is_apart=is_apart):
                stacks.close(UNNAMED if is_apart else stacks.thread)
            stacks.name(known)
            stacks.push(printed, line, number)
            known = None
        elif not line.strip():
            pass
        elif found := header(line):
            stacks.close()
            known, selected = found, None
            stacks.row(found, number)
        elif (of := known or selected) and (lock := user_locks.owned(line)):
            stacks.owned(of, lock, number)
        elif switched := headers.selected(line):
            selected = switched
            skips.add(_why_skipped(line, last_was_frame=False, is_named=False), number)
        elif known and (found := headers.completed(known, line)):
            known = found
            stacks.complete(found, number)
        else:
            is_separator = headers.SEPARATOR.match(line) and not _UNREADABLE.match(line)
            skips.add(_why_skipped(line, last_was_frame=last_was_frame, is_named=known is not None), number)
            if is_separator:
                stacks.close()
                known = None
        last_was_frame = printed is not None
        is_apart = not line.strip() or (is_apart and printed is None)
    return _reading_of(stacks, skips, quality)


def _reading_of(stacks: _Stacks, skips: SkipCounter, quality: tuple[Quality, ...]) -> Reading:
    stacks.close()
    tasks = (*stacks.tasks.sets(), *stacks.locks.sets(), *stacks.owners.sets(), *stacks.remarks.sets())
    if not len(stacks.builder):
        return Reading(row_sets=tasks, skipped=skips.result(), quality=quality)
    profile = stacks.builder.build(event="", unit="count", what="bare", has_weights=False)
    count = len(stacks.builder)
    noun = "one stack" if count == 1 else f"{count} stacks"
    remark = Quality("no_weights", f"{noun} without weights: shows presence, not shares", stacks.first_line)
    return Reading(profiles=(profile,), row_sets=tasks, skipped=skips.result(), quality=(remark, *quality))
