"""`/proc/cgroups`: hierarchies and how many cgroups each controller holds, dead ones included.

Example:
    #subsys_name	hierarchy	num_cgroups	enabled
    memory	4	4110	1

Source: proc_cgroupstats_show in kernel/cgroup/cgroup-v1.c; hierarchy 0 is version 2 (or not mounted).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-cgroups"
VERSION = 1
TITLE = "/proc/cgroups"
EXAMPLE = "#subsys_name\thierarchy\tnum_cgroups\tenabled\nmemory\t4\t4110\t1"

PATHS: tuple[str, ...] = ("proc/cgroups",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_cgroups*",)

_HEADER = re.compile(r"^\s*#subsys_name\s+hierarchy\s+num_cgroups\s+enabled\s*$")
_ROW = re.compile(r"^\s*(?P<name>[a-z][\w-]*)\s+(?P<hierarchy>\d+)\s+(?P<count>\d+)\s+(?P<enabled>[01])\b")


STARTS = (_HEADER.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the table starts at `lines[at]`."""
    return bool(_HEADER.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a row."""
    return bool(_ROW.match(line) or _HEADER.match(line))


def read(text: Text) -> Reading:
    """Read every row; the memory controller's hierarchy shows the version."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        row = _ROW.match(entry)
        if row:
            reader.add(f"cgroups.{row['name']}.num_cgroups", float(row["count"]), line, "count")
            reader.add(f"cgroups.{row['name']}.hierarchy", float(row["hierarchy"]), line, "count")
            if row["name"] == "memory" and row["enabled"] == "1":
                reader.add("cgroup.version", "v2" if row["hierarchy"] == "0" else "v1", line)
        elif not _HEADER.match(entry):
            reader.skips.add("not a row of /proc/cgroups", line)
    return reader.result()
