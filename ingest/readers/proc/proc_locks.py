"""`/proc/locks`: locks on files, and the tasks that wait for them.

Example:
    11: FLOCK  ADVISORY  WRITE 10049 fe:00:9994265 0 EOF
    11: -> FLOCK  ADVISORY  WRITE 10055 fe:00:9994265 0 EOF
    12: POSIX  ADVISORY  READ 1518 fe:00:10175863 128 128

A lock is a number, its type, whether it is only advice, what for, the process that took it, device and
inode of the file, and the first and last byte. Behind `->` stands who waits for the lock of the same number.
`lslocks` prints the same in other words (`commands/lslocks.py`).
Source: lock_get_status and __locks_show in fs/locks.c; proc_locks(5).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-locks"
VERSION = 1
TITLE = "/proc/locks"
EXAMPLE = (
    "11: FLOCK  ADVISORY  WRITE 10049 fe:00:9994265 0 EOF\n"
    "11: -> FLOCK  ADVISORY  WRITE 10055 fe:00:9994265 0 EOF"
)

PATHS: tuple[str, ...] = ("proc/locks",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_LOCK = re.compile(
    r"^\s*(?P<number>\d{1,18}):\s{1,20}(?P<waits>->\s)?\s{0,20}(?P<type>POSIX|FLOCK|OFDLCK|LEASE|DELEG|ACCESS|UNKNOWN)\s+"
    r"(?P<mode>ADVISORY|MANDATORY|\*NOINODE\*|ACTIVE|BREAKER|BREAKING|MSNFS)\s+"
    r"(?P<access>READ|WRITE|RW|NONE|UNLCK)\s+(?P<pid>-?\d{1,10})\s+"
    r"(?P<file>[0-9a-f]{2,8}:[0-9a-f]{2,8}:\d{1,20}|<none>:0)\s+(?P<first>\d{1,20})\s+(?P<last>\d{1,20}|EOF)\s*$"
)

STARTS = (_LOCK.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a lock is at `lines[at]`."""
    return bool(_LOCK.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a lock or somebody who waits for one."""
    return bool(_LOCK.match(line))


class _Lock(NamedTuple):
    """The line and the match of a lock that somebody holds."""

    line: int
    found: re.Match[str]


def read(text: Text) -> Reading:
    """Read how many locks are held of each type, and how many tasks wait for each lock that has any."""
    reader = FactReader(text)
    held: dict[str, _Lock] = {}
    types: Counter[str] = Counter()
    first: dict[str, int] = {}
    waiting: dict[str, list[int]] = {}
    for line, found in reader.matching(_LOCK, "not a lock of a file"):
        if found["waits"]:
            waiting.setdefault(found["number"], []).append(line)
            continue
        held[found["number"]] = _Lock(line, found)
        types[found["type"]] += 1
        first.setdefault(found["type"], line)
    for kind, count in types.items():
        reader.add("file_lock.held", float(count), first[kind], "count", {"type": kind})
    for number, lines in waiting.items():
        labels = {"file": "", "pid": "", "type": ""}
        if holder := held.get(number):
            labels = {key: holder.found[key] for key in labels}
        reader.add("file_lock.waiting", float(len(lines)), lines[0], "count", labels)
    return reader.result()
