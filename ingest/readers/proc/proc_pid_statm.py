"""`/proc/PID/statm`: sizes of one process in pages.

Example:
    2621440 102583 2100 11 0 120000 0

The columns are address space, resident, shared, text, 0, data and stack, 0. The size of a page is not in the
file. Resident is the sum of counters that VmRSS of `status` is. Source: proc(5), "/proc/pid/statm";
proc_pid_statm in fs/proc/array.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, pid_labels

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-pid-statm"
VERSION = 1
TITLE = "/proc/PID/statm"
EXAMPLE = "64567 50738 1011 1 0 64210 0"

PATHS: tuple[str, ...] = ("proc/*/statm", "proc/*/task/*/statm")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_pid_statm*",)

_ENTRY = re.compile(
    r"^\s*(?P<size>\d{1,15}) (?P<resident>\d{1,15}) (?P<shared>\d{1,15}) \d{1,15} 0 \d{1,15} 0\s*$"
)


def read(text: Text) -> Reading:
    """Read every line; the file again is the next snapshot."""
    reader = FactReader(text)
    labels = pid_labels(text.path)
    for line, found in reader.matching(_ENTRY, "not a line of /proc/PID/statm"):
        for name in ("size", "resident", "shared"):
            reader.add(f"process.statm.{name}_pages", float(found[name]), line, "count", labels)
    return reader.result()
