"""`corelens VMCORE -M lock`: mutexes and semaphores that tasks wait for, with the owner read from each lock.

Example:
    Scanning RWSemaphores...

    Rwsem: 0xffff888005174b18 (slab object: ext4_inode_cache+0x1c8)
    rwsem has no spinners.
    Writer owner (struct task_struct *)0xffff888013e99800: (pid)109
    Rwsem WAITERS (Index, cpu, comm, pid, state, type, wait time (d hr:min:sec:ms)):
             [1]: cpu: 0    mkdir            112      D      0 00:06:20.221

With `--stack` the stacks of owners and waiters follow; they become a profile without weights.
Source: drgn_tools/lock.py (scan_lock) of oracle-samples/drgn-tools.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.bare_stacks import stacks as bare_stacks
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "corelens-lock"
VERSION = 1
TITLE = "corelens lock"
COMMAND = "corelens VMCORE -M lock"
EXAMPLE = (
    "Scanning Mutexes...\n\nScanning Semaphores...\n\nScanning RWSemaphores...\n\n"
    "Rwsem: 0xffff888005174b18 (slab object: ext4_inode_cache+0x1c8)"
)

_SCAN = re.compile(r"^Scanning (?:Mutexes|Semaphores|RWSemaphores|Completions)\.\.\.\s*$")
_LOCK = Pattern(
    r"^(?P<kind>Mutex|Semaphore|Rwsem|Completion): (?P<address>0x[0-9a-f]+)(?: \((?P<object>.*)\))?\s*$"
)
_OWNER = Pattern(
    r"^(?:Mutex OWNER: (?P<comm>.*) PID : |Writer owner \([^()]*\)0x[0-9a-f]+: \(pid\))(?P<pid>\d{1,10})\s*$"
)
_WAITER = Pattern(
    r"^\s*\[\d{1,9}\]: cpu: (?P<cpu>\d+)\s+(?P<comm>\S.*?)\s+(?P<pid>\d{1,10})\s+(?P<state>[A-Za-z])\s+"
    r"(?P<days>\d{1,5}) (?P<hours>\d\d):(?P<minutes>\d\d):(?P<seconds>\d\d\.\d+)\s*$"
)
_TEXT = re.compile(
    r"^(?:(?:Mutex|Semaphore|Rwsem) WAITERS |rwsem |Owned by \d+ reader| rwsem is |Mutex OWNER: NULL"
    r"|Number of (?:tasks waiting on )?completions|There are (?:no )?spinners|CPU\(s\): |CPU: \d+ has been)"
)

STARTS = (_SCAN.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a scan starts at `lines[at]`."""
    return bool(_SCAN.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a lock, its owner, a waiter, or a frame of one of their stacks."""
    shapes = (_SCAN, _LOCK, _OWNER, _WAITER, _TEXT)
    return any(shape.match(line) for shape in shapes) or bare_stacks.continues(line)


def read(text: Text) -> Reading:
    """Read one row per waiter, one per owner, and the stacks."""
    pasted = transcript(text)
    waiters, owners = Rows("lock_waiters"), Rows("lock_holders")
    lock: dict[str, Cell] = {}
    for number, line, _ in pasted.lines:
        if found := _LOCK.match(line):
            lock = {
                "lock": found["kind"].lower(),
                "address": found["address"],
                "object": found["object"] or "",
            }
        elif lock and (owner := _OWNER.match(line)):
            owners.add(number, lock | {"comm": owner["comm"] or "", "pid": float(owner["pid"])})
        elif lock and (waiter := _WAITER.match(line)):
            waiters.add(number, lock | _cells(waiter))
        elif line.strip() and not (_SCAN.match(line) or _TEXT.match(line) or bare_stacks.continues(line)):
            pasted.skips.add("not a line of corelens lock", number)
    stacks = bare_stacks.read(text)
    return Reading(
        profiles=stacks.profiles,
        row_sets=(*waiters.sets(), *owners.sets(), *stacks.row_sets),
        skipped=pasted.skips.result(),
        quality=(*pasted.quality, *stacks.quality),
    )


def _cells(waiter: re.Match[str]) -> dict[str, Cell]:
    """Return the cells of a waiter."""
    days, hours, minutes, seconds = (float(waiter[name]) for name in ("days", "hours", "minutes", "seconds"))
    return {
        "pid": float(waiter["pid"]),
        "comm": waiter["comm"],
        "state": waiter["state"],
        "cpu": float(waiter["cpu"]),
        "waited_s": days * 86_400 + hours * 3600 + minutes * 60 + seconds,
    }
