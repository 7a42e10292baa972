"""`vmstat -d`: counters of every block device since boot, as /proc/diskstats has them.

Example:
    disk- ------------reads------------ ------------writes----------- -----IO------
           total merged sectors      ms  total merged sectors      ms    cur    sec
    vda   5118948 325029 359413930 13716051 3388978 3656015 333767000 4307124      0   1757

A sector is 512 bytes, and `sec` the time that requests were in flight. Source: vmstat(8), procps-ng
src/vmstat.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "vmstat-disks"
VERSION = 1
TITLE = "vmstat of disks"
COMMAND = "vmstat -d"
EXAMPLE = (
    "disk- ------------reads------------ ------------writes----------- -----IO------\n"
    "       total merged sectors      ms  total merged sectors      ms    cur    sec\n"
    "vda   5118948 325029 359413930 13716051 3388978 3656015 333767000 4307124      0   1757"
)

FIELDS = (
    ("reads", "count", 1.0),
    ("reads_merged", "count", 1.0),
    ("read_bytes", "bytes", 512),
    ("read_seconds", "seconds", 1e-3),
    ("writes", "count", 1.0),
    ("writes_merged", "count", 1.0),
    ("written_bytes", "bytes", 512),
    ("write_seconds", "seconds", 1e-3),
    ("in_flight", "count", 1.0),
    ("busy_seconds", "seconds", 1.0),
)
_GROUPS = re.compile(r"^\s*disk-+ -+reads-+ -+writes-+ -+IO-+")
_HEAD = re.compile(r"^\s*total\s+merged\s+sectors\s+ms\s+total\s+merged\s+sectors\s+ms\s+cur\s+sec\s*$")
_ROW = re.compile(r"^\s*(?P<device>[A-Za-z][\w!/.-]*)(?P<counters>(?:\s+\d+){10})\s*$")

STARTS = (_GROUPS.pattern, _HEAD.pattern)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the table starts at `lines[at]`: its line of groups, or the header alone."""
    return bool(_GROUPS.match(lines[at]) or _HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a header or a device."""
    return any(shape.match(line) for shape in (_GROUPS, _HEAD, _ROW))


def read(text: Text) -> Reading:
    """Read the counters of every device that ever did anything."""
    reader = FactReader(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        row = _ROW.match(entry)
        if row is None:
            if entry.strip() and not (_GROUPS.match(entry) or _HEAD.match(entry)):
                reader.skips.add("not a device of vmstat", line)
            continue
        counters = [float(word) for word in row["counters"].split()]
        if any(counters):
            for (name, unit, factor), value in zip(FIELDS, counters, strict=True):
                reader.add(f"disk.{name}", value * factor, line, unit, {"device": row["device"]})
    return reader.result()
