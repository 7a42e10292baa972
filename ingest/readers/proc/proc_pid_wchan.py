"""`/proc/PID/wchan`: the kernel function a sleeping task waits in; no line end, `0` when it runs.

Example:
    futex_wait_queue

Source: proc_pid_wchan in fs/proc/base.c.
"""

from __future__ import annotations

import re

from ingest.parsing.fact_reader import pid_labels
from ingest.parsing.shapes import Column, Meaning, Table

_FUNCTION = re.compile(r"^(?P<function>0|[A-Za-z_][\w.]*)$")
"""`0`: the task runs, or the kernel hides the function."""

FACTS = {
    "process.wchan": Meaning(
        "kernel function in which the task sleeps",
        labels=("pid", "pid_namespace"),
        example="process.wchan = hrtimer_nanosleep",
    ),
}
FORMAT = Table(
    name="proc-pid-wchan",
    title="/proc/PID/wchan",
    example="futex_wait_queue",
    paths=("proc/*/wchan", "proc/*/task/*/wchan"),
    row=_FUNCTION,
    columns={"function": Column("process.wchan")},
    labels_of_path=pid_labels,
    skipped="not a function",
)
