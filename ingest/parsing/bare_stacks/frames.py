"""Frame lines of stacks without weights.

Examples:
    #0  shrink_lruvec
    [<0>] futex_wait_queue+0x60/0x90
    #1  0x0000555f8e5ce25e in walk_file_pages (p=0x0) at stress.c:35
     #1 [ffffc900003f38b8] __schedule at ffffffff81a10e3d
     # 5 [ffffc900003f39e0] __down_read_common at 0xffffffff81a14374 kernel/locking/rwsem.c:1261:14
     #0 (inline)           context_switch
    #2  schedule (kernel/sched/core.c:6660:3)
    /proc/101/stack:[<0>] kjournald2+0xa9/0x280

Sources: proc_pid_stack in fs/proc/base.c (`[<0>] %pB`); gdb's `backtrace`; crash's `bt`; drgn's `StackTrace`
and its `crash` commands; corelens' `bt`; `grep -H . /proc/*/stack`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ingest.native.linear import Pattern

OF_FILE = re.compile(r"^/proc/(?P<pid>\d{1,10})/(?:task/(?P<tid>\d{1,10})/)?stack:(?=\[<)")
NUMBERED = Pattern(r"^\s*!?# ?(?P<number>\d{1,9})\s+(?P<rest>\S.*?)\s*$")
_STRIPPED = Pattern(r"^\s*(?P<number>\d{1,3})\s+(?P<rest>\[[0-9a-f]{16}\] \S+ at [0-9a-f]{16}(?:\s.*)?)$")
"""A frame of crash whose number sign a page took for a heading."""

OFFSET = re.compile(
    r"^\s*(?:\[<(?:0x)?[0-9a-f]*>\]\s+)?(?P<name>[\w.$]+)\+0x[0-9a-f]+/0x[0-9a-f]+"
    r"(?:\s+\[(?P<module>[\w-]+)(?: [0-9a-f]{16,})?\])?(?:\s+[\w./-]+\.[chS]:\d+)?"
    r"(?:\s+\([^()]{1,200}\))?\s*$"
)
"""A remark in parentheses may follow: people write beside a frame what it holds or waits for."""

POINTER = re.compile(
    r"^\s*\[<(?:0x)?[0-9a-f]*>\]\s+[\w.$]+\+0x(?P<offset>[0-9a-f]+)/0x(?P<size>[0-9a-f]+)(?:\s|$)"
)
"""A frame of /proc/PID/stack with its offset and the size of its function.

The end of a function is the beginning of the next one: a pointer to that one lay on the stack, such as the
function that wakes a waiter. Return addresses at the end are of functions that call one that never returns.
"""

_INLINED = re.compile(r"^\s+(?P<name>[A-Za-z_][\w.$]*)\s+[\w./-]+\.[chS]:\d+ \[inline\]\s*$")
"""A function that the compiler put into the one below: printed by scripts/decode_stacktrace.sh."""

OFFSET_ONLY = re.compile(r"^\s*(?P<name>[A-Za-z_][\w.$]*)\+0x[0-9a-f]+(?:\s+\[(?P<module>[\w-]+)\])?\s*$")
"""A function and its offset without the size of the function: as bcc and other tools print kernel stacks."""

OFFSET_MARKED = re.compile(r"^\s*\[<(?:0x)?[0-9a-f]*>\]\s+\S")
_GDB = re.compile(r"^(?:0x(?P<address>[0-9a-f]+) in )?(?P<name>[^\s(].*?) \((?P<args>.*)$")
_KERNEL_HALF = re.compile(r"^f{2}[0-9a-f]{14}$")
_GDB_MODULE = re.compile(r" from (?P<module>/\S+)\s*$")
_CRASH = re.compile(r"^\[[0-9a-f]+\] (?P<name>\S+) at (?:0x)?[0-9a-f]+(?: \[(?P<module>[\w-]+)\])?")
_CRASH_INLINE = re.compile(r"^\(inline\)\s+(?P<name>\S+)")
_DRGN = Pattern(r"^(?P<name>[^\s(+]+)(?:\+0x[0-9a-f]+/0x[0-9a-f]+)? \([^\s():]+:\d{1,9}:\d{1,9}\)$")
_PLAIN = Pattern(
    r"^(?:0x[0-9a-f]+ in )?(?P<name>[^\s(]+?)(?:\+(?:0x)?[0-9a-f]+(?:/0x[0-9a-f]+)?)?"
    r"(?: \[(?P<module>[\w-]+)\])?$"
)
_ADDRESS_ONLY = re.compile(r"^\s*\[<(?:0x)?(?P<name>[0-9a-f]+)>\]\s+(?:0x)?[0-9a-f]+\s*$")


MOST_KEPT, LONGEST_KEPT = 8192, 256
"""Frames that are remembered, and their characters: those of threads in one function are alike."""


class Printed(NamedTuple):
    """One frame as printed; `kind` is "" where the stack as a whole decides."""

    name: str
    module: str
    kind: str


_EXCEPTION = re.compile(r"^\s+\[exception RIP: (?P<name>[A-Za-z_][\w.]*)\+\d+\]\s*$")
"""The function that took the exception: crash prints it between the frames."""


def is_pointer(line: str) -> bool:
    """Return whether a frame is a pointer that lay on the stack, not a return address."""
    found = POINTER.match(line)
    return found is not None and found["offset"] == found["size"]


def frame(line: str) -> Printed | None:
    """Read one frame line of any of the shapes."""
    return _known_frame(line) if len(line) <= LONGEST_KEPT else _frame(line)


@lru_cache(MOST_KEPT)
def _known_frame(line: str) -> Printed | None:
    return _frame(line)


def _frame(line: str) -> Printed | None:
    line = OF_FILE.sub("", line, count=1)
    if found := OFFSET.match(line):
        return Printed(found["name"], found["module"] or "", "kernel")
    if found := _INLINED.match(line):
        return Printed(found["name"], "", "kernel")
    if found := OFFSET_ONLY.match(line):
        return Printed(found["name"], found["module"] or "", "")
    if found := _ADDRESS_ONLY.match(line):
        return Printed(f"0x{found['name']}", "", "kernel")
    numbered = NUMBERED.match(line) or _STRIPPED.match(line)
    if not numbered:
        at_fault = _EXCEPTION.match(line)
        return Printed(at_fault["name"], "", "kernel") if at_fault else None
    rest = numbered["rest"]
    if rest.startswith("<signal handler called>"):
        return Printed("<signal handler called>", "", "user")
    if found := _CRASH.match(rest):
        return Printed(found["name"], found["module"] or "", "kernel")
    if found := _CRASH_INLINE.match(rest):
        return Printed(found["name"], "", "kernel")
    if drgn := _DRGN.match(rest):
        return Printed(drgn["name"], "", "")
    if found := _GDB.match(rest):
        module = _GDB_MODULE.search(rest)
        return Printed(found["name"], module["module"] if module else "", _half(found["address"]))
    if plain := _PLAIN.match(rest):
        return Printed(plain["name"], plain["module"] or "", "")
    return None


def _half(address: str | None) -> str:
    """Return whose half of the address space a frame is in, "" for an inlined one or behind the outermost."""
    if address is None or not int(address, 16):
        return ""
    return "kernel" if _KERNEL_HALF.match(address) else "user"


def number_of(line: str) -> int | None:
    """Return the number of a `#n` line."""
    found = NUMBERED.match(line) or _STRIPPED.match(line)
    return int(found["number"]) if found else None
