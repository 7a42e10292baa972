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
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

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


def _read(text: Text) -> Reading:
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


FACTS = {
    "process.started_uptime_seconds": Meaning(
        "when the task was started, in seconds since boot",
        "seconds",
        ("comm", "pid", "tid"),
        "process.started_uptime_seconds = 2234.57",
    ),
    "process.major_faults": Meaning(
        "page faults that waited for a device",
        "count",
        ("comm", "pid", "pid_namespace", "tid"),
        "process.major_faults = 0",
    ),
    "process.minor_faults": Meaning(
        "page faults that did not",
        "count",
        ("comm", "pid", "pid_namespace", "tid"),
        "process.minor_faults = 50578",
    ),
    "process.user_seconds": Meaning(
        "CPU time in the program",
        "seconds",
        ("comm", "pid", "pid_namespace", "tid"),
        "process.user_seconds = 0.02",
    ),
    "process.system_seconds": Meaning(
        "CPU time in the kernel",
        "seconds",
        ("comm", "pid", "pid_namespace", "tid"),
        "process.system_seconds = 0.23",
    ),
}
FORMAT = Lines(
    name="proc-pid-stat",
    version=2,
    title="/proc/PID/stat",
    example="6879 (rss_drift) S 20144 20142 4025 0 -1 4194304 50578 0 0 0 2 23 0 0 20 0 801 0 223457 "
    "258260992 50738 18446744073709551615 94263856201728",
    paths=("proc/[0-9]*/stat", "proc/*/task/*/stat"),
    hints=("proc_pid_stat.txt",),
    first=_ENTRY,
    shapes=(_ENTRY,),
    read=_read,
)
