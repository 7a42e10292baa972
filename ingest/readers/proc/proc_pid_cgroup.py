"""`/proc/PID/cgroup`: which group the process is in.

Examples:
    0::/system.slice/postgresql.service
    4:memory:/lakehouse

Source: cgroups(7), "/proc/pid/cgroup"; proc_cgroup_show in kernel/cgroup/cgroup.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, pid_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-pid-cgroup"
VERSION = 1
TITLE = "/proc/PID/cgroup"
EXAMPLE = "4:memory:/lakehouse\n0::/system.slice/postgresql.service"

PATHS: tuple[str, ...] = ("proc/*/cgroup",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_ROW = re.compile(
    r"^(?P<id>\d{1,3}):(?P<controllers>[a-z_,]*|name=[\w.-]+):(?P<path>/\S*(?: \(deleted\))?)\s*$"
)


STARTS = (_ROW.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: the unified hierarchy alone, or two hierarchies."""
    first = _ROW.match(lines[at])
    if not first:
        return False
    return (first["id"] == "0" and not first["controllers"]) or (
        at + 1 < len(lines) and bool(_ROW.match(lines[at + 1]))
    )


def continues(line: str) -> bool:
    """Return whether `line` is a hierarchy."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read the group of the memory controller, else of the unified hierarchy, and where it was deleted."""
    reader = FactReader(text)
    labels = pid_labels(text.path)
    for line, row in reader.matching(_ROW, "not a hierarchy"):
        hierarchy = row["controllers"] or "unified"
        reader.add("process.cgroup", row["path"], line, "", {**labels, "hierarchy": hierarchy})
    return reader.result()
