"""`memory.numa_stat`: memory of a group per NUMA node; bytes in cgroup v2, pages in v1.

Examples:
    anon N0=226832384
    total=96885 N0=96885

Source: memory_numa_stat_show in mm/memcontrol.c and memcg_numa_stat_show in mm/memcontrol-v1.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "cgroup-numa-stat"
VERSION = 1
TITLE = "Memory cgroup: memory.numa_stat"
EXAMPLE = "total=96885 N0=96885\nfile=4622 N0=4622"

PATHS: tuple[str, ...] = ("memory.numa_stat",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("memory.numa_stat*",)

_ROW = re.compile(r"^(?P<key>[a-z_]+)(?P<total>=\d+)?(?P<nodes>(?: N\d+=\d+)+)\s*$")
_COUNTS = re.compile(r"^(?:workingset|pg|thp|numa)")


STARTS = (_ROW.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`."""
    return bool(_ROW.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a kind of memory."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read every kind of memory on every node: `memcg.numa.anon_bytes`, or `memcg.numa.anon_pages` in v1."""
    reader = FactReader(text)
    group = cgroup_labels(text.path)
    for line, row in reader.matching(_ROW, "not a kind of memory"):
        is_pages = row["total"] is not None
        if is_pages or _COUNTS.match(row["key"]):
            suffix, unit = ("_pages" if is_pages else "", "count")
        else:
            suffix, unit = "_bytes", "bytes"
        for node, value in re.findall(r"N(\d+)=(\d+)", row["nodes"]):
            reader.add(f"memcg.numa.{row['key']}{suffix}", float(value), line, unit, {**group, "node": node})
    return reader.result()
