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
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_ROW = re.compile(r"^Node\s+(?P<node>\d+), zone\s+(?P<zone>\w+)(?P<blocks>(?:\s+\d+){6,20})\s*$")


def _read(text: Text) -> Reading:
    """Read one fact per zone and order; a zone seen again is the next snapshot."""
    reader = FactReader(text)
    for line, row in reader.matching(_ROW, "not a zone of buddyinfo"):
        for order, blocks in enumerate(row["blocks"].split()):
            labels = {"node": row["node"], "zone": row["zone"], "order": str(order)}
            reader.add("buddyinfo.free_blocks", float(blocks), line, "count", labels)
    return reader.result()


FACTS = {
    "buddyinfo.free_blocks": Meaning(
        "free blocks of one order in one zone; a block of order n is 2^n pages",
        "count",
        ("node", "order", "zone"),
        "buddyinfo.free_blocks = 0",
    ),
}
FORMAT = Lines(
    name="proc-buddyinfo",
    title="/proc/buddyinfo",
    example="Node 0, zone   Normal   2677   1157   2011   2404   2728   4147   1160    411    164     71"
    "     96",
    paths=("proc/buddyinfo",),
    first=_ROW,
    shapes=(_ROW,),
    read=_read,
)
