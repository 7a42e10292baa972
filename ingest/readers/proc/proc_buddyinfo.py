"""`/proc/buddyinfo`: free blocks of each zone by order; a block of order n is 2^n pages.

Example:
    Node 0, zone   Normal   2677   1157   2011   2404   2728   4147   1160    411    164     71     96

Order 0 is first. Few blocks from order 3 on mean that memory is fragmented: larger allocations compact.
Source: frag_show_print in mm/vmstat.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-buddyinfo"
VERSION = 1
TITLE = "/proc/buddyinfo"
EXAMPLE = "Node 0, zone   Normal   2677   1157   2011   2404   2728   4147   1160    411    164     71     96"

PATHS: tuple[str, ...] = ("proc/buddyinfo",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_ROW = re.compile(r"^Node\s+(?P<node>\d+), zone\s+(?P<zone>\w+)(?P<blocks>(?:\s+\d+){6,20})\s*$")


STARTS = (r"Node\s+\d+, zone\s",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the table starts at `lines[at]`."""
    return bool(_ROW.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a zone."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read one fact per zone and order; a zone seen again is the next snapshot."""
    reader = FactReader(text)
    for line, row in reader.matching(_ROW, "not a zone of buddyinfo"):
        for order, blocks in enumerate(row["blocks"].split()):
            labels = {"node": row["node"], "zone": row["zone"], "order": str(order)}
            reader.add("buddyinfo.free_blocks", float(blocks), line, "count", labels)
    return reader.result()
