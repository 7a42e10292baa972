"""`/proc/loadavg`: runnable and uninterruptible tasks, averaged.

Example:
    20.29 11.04 5.31 24/163 14880

Source: loadavg_proc_show in fs/proc/loadavg.c.
"""

from __future__ import annotations

import re

from ingest.parsing.shapes import Column, Table

_ENTRY = re.compile(
    r"^\s*(?P<m1>\d+\.\d\d) (?P<m5>\d+\.\d\d) (?P<m15>\d+\.\d\d) (?P<runnable>\d+)/(?P<tasks>\d+) \d+\s*$"
)

FORMAT = Table(
    name="proc-loadavg",
    title="/proc/loadavg",
    example="20.29 11.04 5.31 24/163 14880",
    paths=("proc/loadavg",),
    hints=("proc_loadavg*", "loadavg*"),
    first=_ENTRY,
    row=_ENTRY,
    columns={
        "m1": Column("loadavg.1m", "count"),
        "m5": Column("loadavg.5m", "count"),
        "m15": Column("loadavg.15m", "count"),
        "runnable": Column("loadavg.runnable", "count"),
        "tasks": Column("loadavg.tasks", "count"),
    },
    skipped="not a line of /proc/loadavg",
)
