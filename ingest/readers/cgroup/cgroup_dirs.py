"""How many memory cgroups live: the count of directories, against which `num_cgroups` shows the dead ones.

Example (`find /sys/fs/cgroup/memory -type d | wc -l`):
    2001
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, number

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "cgroup-dirs"
VERSION = 1
TITLE = "Living cgroups"
EXAMPLE = "2001"

PATHS: tuple[str, ...] = ()
COMMANDS: tuple[str, ...] = (r"find /sys/fs/cgroup(?:/memory)?/? .*-type d\b.*\| *wc -l",)
HINTS: tuple[str, ...] = ("live_cgroups_count*", "cgroup_dirs*")


def read(text: Text) -> Reading:
    """Read the count."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        value = number(entry)
        if value is None:
            reader.skips.add("not a number", line)
        else:
            reader.add("cgroups.memory.dirs", value, line, "count")
    return reader.result()
