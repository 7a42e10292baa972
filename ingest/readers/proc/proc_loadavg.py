"""`/proc/loadavg`: runnable and uninterruptible tasks, averaged.

Example:
    20.29 11.04 5.31 24/163 14880

Source: loadavg_proc_show in fs/proc/loadavg.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-loadavg"
VERSION = 1
TITLE = "/proc/loadavg"
EXAMPLE = "20.29 11.04 5.31 24/163 14880"

PATHS: tuple[str, ...] = ("proc/loadavg",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_loadavg*", "loadavg*")

_ENTRY = re.compile(
    r"^\s*(?P<m1>\d+\.\d\d) (?P<m5>\d+\.\d\d) (?P<m15>\d+\.\d\d) (?P<runnable>\d+)/(?P<tasks>\d+) \d+\s*$"
)


STARTS = (_ENTRY.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether `lines[at]` is the line of the file."""
    return bool(_ENTRY.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is another reading of it."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read the three averages and the counts."""
    reader = FactReader(text)
    for line, found in reader.matching(_ENTRY, "not a line of /proc/loadavg"):
        reader.add("loadavg.1m", float(found["m1"]), line, "count")
        reader.add("loadavg.5m", float(found["m5"]), line, "count")
        reader.add("loadavg.15m", float(found["m15"]), line, "count")
        reader.add("loadavg.runnable", float(found["runnable"]), line, "count")
        reader.add("loadavg.tasks", float(found["tasks"]), line, "count")
    return reader.result()
