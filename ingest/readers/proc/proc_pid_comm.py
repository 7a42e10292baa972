"""`/proc/PID/comm`: the name of a process or thread, at most 15 characters.

Example:
    kworker/u8:3

Source: proc(5), "/proc/pid/comm"; comm_show in fs/proc/base.c.
"""

from __future__ import annotations

import re

from ingest.parsing.fact_reader import pid_labels
from ingest.parsing.shapes import Column, Table

_NAME = re.compile(r"^(?P<name>.{1,64})$")

FORMAT = Table(
    name="proc-pid-comm",
    title="/proc/PID/comm",
    example="kworker/u8:3",
    paths=("proc/[0-9]*/comm", "proc/*/task/*/comm"),
    row=_NAME,
    columns={"name": Column("process.name")},
    labels_of_path=pid_labels,
    skipped="not a name",
)
