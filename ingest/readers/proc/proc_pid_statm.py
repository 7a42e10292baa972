"""`/proc/PID/statm`: sizes of one process in pages.

Example:
    2621440 102583 2100 11 0 120000 0

The columns are address space, resident, shared, text, 0, data and stack, 0. The size of a page is not in the
file. Resident is the sum of counters that VmRSS of `status` is. Source: proc(5), "/proc/pid/statm";
proc_pid_statm in fs/proc/array.c.
"""

from __future__ import annotations

import re

from ingest.parsing.fact_reader import pid_labels
from ingest.parsing.shapes import Column, Meaning, Table

_ENTRY = re.compile(
    r"^\s*(?P<size>\d{1,15}) (?P<resident>\d{1,15}) (?P<shared>\d{1,15}) \d{1,15} 0 \d{1,15} 0\s*$"
)

FACTS = {
    "process.statm.<key>": Meaning(
        "a column of /proc/PID/statm, in pages", "count", ("pid",), "process.statm.resident_pages = 102583"
    ),
}
FORMAT = Table(
    name="proc-pid-statm",
    title="/proc/PID/statm",
    example="64567 50738 1011 1 0 64210 0",
    paths=("proc/*/statm", "proc/*/task/*/statm"),
    hints=("proc_pid_statm*",),
    row=_ENTRY,
    columns={
        "size": Column("process.statm.size_pages", "count"),
        "resident": Column("process.statm.resident_pages", "count"),
        "shared": Column("process.statm.shared_pages", "count"),
    },
    labels_of_path=pid_labels,
    skipped="not a line of /proc/PID/statm",
)
