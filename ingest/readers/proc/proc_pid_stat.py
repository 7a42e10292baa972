"""`/proc/PID/stat` and `/proc/PID/task/TID/stat`: state, faults and CPU time of one process in a line.

Example:
    6879 (rss_drift) S 20144 20142 4025 0 -1 4194304 50578 0 0 0 2 23 0 0 20 0 801 0 …

The name is in parentheses and may hold blanks and more of them. Times are clock ticks, 100 a second;
the resident set counts pages and is left to `status`, which does not need the page size.
Source: proc(5), "/proc/pid/stat"; do_task_stat in fs/proc/array.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-pid-stat"
VERSION = 2
TITLE = "/proc/PID/stat"
EXAMPLE = (
    "6879 (rss_drift) S 20144 20142 4025 0 -1 4194304 50578 0 0 0 2 23 0 0 20 0 801 0 223457 258260992 50738 "
    "18446744073709551615 94263856201728"
)

PATHS: tuple[str, ...] = ("proc/[0-9]*/stat", "proc/*/task/*/stat")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_pid_stat.txt",)

USER_HZ = 100
_ENTRY = re.compile(
    r"^\s*(?P<pid>\d{1,10}) \((?P<comm>.{0,64})\) (?P<state>[RSDZTtWXxKPI]) "
    r"(?P<rest>-?\d+(?: -?\d+){18,60})\s*$"
)
FIELDS = (
    (6, "process.minor_faults", "count", 1.0),
    (8, "process.major_faults", "count", 1.0),
    (10, "process.user_seconds", "seconds", 1 / USER_HZ),
    (11, "process.system_seconds", "seconds", 1 / USER_HZ),
    (16, "process.threads", "count", 1.0),
    (18, "process.started_uptime_seconds", "seconds", 1 / USER_HZ),
)
"""Place behind the state, name, unit and factor."""


STARTS = (r"\s*\d+ \(.*\) [A-Za-z] -?\d",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether `lines[at]` is the line of the file."""
    return bool(_ENTRY.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is another process or snapshot."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read every line; the same process again is the next snapshot."""
    reader = FactReader(text)
    is_thread = "/task/" in text.path
    for line, found in reader.matching(_ENTRY, "not a line of /proc/PID/stat"):
        labels = {"tid" if is_thread else "pid": found["pid"], "comm": found["comm"]}
        numbers = found["rest"].split()
        reader.add("process.state", found["state"], line, "", labels)
        for place, name, unit, factor in FIELDS:
            reader.add(name, float(numbers[place]) * factor, line, unit, labels)
    return reader.result()
