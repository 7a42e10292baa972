"""`/proc/diskstats`: counters of block devices since boot.

Example:
    254       0 vda 256870 41563 46236346 1654632 238866 265691 30201722 624311 0 353140 2307321 …

Source: Documentation/admin-guide/iostats.rst: sectors are 512 bytes, times are milliseconds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

SECTOR_BYTES = 512
FIELDS = (
    ("reads", "count", 1.0),
    ("reads_merged", "count", 1.0),
    ("read_bytes", "bytes", SECTOR_BYTES),
    ("read_seconds", "seconds", 1e-3),
    ("writes", "count", 1.0),
    ("writes_merged", "count", 1.0),
    ("written_bytes", "bytes", SECTOR_BYTES),
    ("write_seconds", "seconds", 1e-3),
    ("in_flight", "count", 1.0),
    ("busy_seconds", "seconds", 1e-3),
    ("queue_seconds", "seconds", 1e-3),
)
_ROW = re.compile(r"^\s*\d+\s+\d+\s+(?P<device>[a-z][\w!/.-]*)(?P<counters>(?:\s+\d+){11,20})\s*$")


def _read(text: Text) -> Reading:
    """Read the counters of every device that ever did anything."""
    reader = FactReader(text)
    for line, row in reader.matching(_ROW, "not a device of diskstats"):
        counters = [float(word) for word in row["counters"].split()]
        if not any(counters):
            continue
        for (name, unit, factor), value in zip(FIELDS, counters, strict=False):
            reader.add(f"disk.{name}", value * factor, line, unit, {"device": row["device"]})
    return reader.result()


FORMAT = Lines(
    name="proc-diskstats",
    title="/proc/diskstats",
    example=" 254       0 vda 256870 41563 46236346 1654632 238866 265691 30201722 624311 0 353140 2307321",
    paths=("proc/diskstats",),
    first=_ROW,
    shapes=(_ROW,),
    read=_read,
)
