"""`slabtop -o`: kernel object caches, largest first.

Example:
     Active / Total Size (% used)       : 1653355.25K / 1664612.03K (99.3%)

      OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME
    3195660 3195660 100%    0.10K  81940       39    327760K buffer_head

Source: slabtop(1), procps src/slabtop.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "slabtop"
VERSION = 3
TITLE = "slabtop"
EXAMPLE = (
    " Active / Total Objects (% used)    : 7080403 / 7144229 (99.1%)\n"
    " Active / Total Size (% used)       : 1653355.25K / 1664612.03K (99.3%)\n"
    "\n"
    "  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME\n"
    "3195660 3195660 100%    0.10K  81940       39    327760K buffer_head"
)

PATHS: tuple[str, ...] = ("sos_commands/*/slabtop_-o",)
COMMANDS: tuple[str, ...] = (r"slabtop(?: .*)?",)
HINTS: tuple[str, ...] = ()

_TOTAL = re.compile(
    r"^\s*Active / Total Size \(% used\)\s*: (?P<active>\d+(?:\.\d+)?)K / (?P<total>\d+(?:\.\d+)?)K"
)
_SUMMARY = re.compile(r"^\s*(?:Active / Total|Minimum / Average)\b")
_HEAD = re.compile(r"^\s*OBJS\s+ACTIVE\s+USE\s+OBJ SIZE\s+SLABS")
_ROW = Pattern(
    r"^\s*(?P<objects>\d+)\s+(?P<active>\d+)\s+\d+%\s+[\d.]+K\s+\d+\s+\d+\s+(?P<kib>\d+)K?\s+(?P<cache>\S.*?)\s*$"
)


STARTS = (
    r"\s*Active / Total Objects",
    _HEAD.pattern,
    r"\s*\d+\s+\d+\s+\d+%\s+[\d.]+K\s",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether slabtop output starts at `lines[at]`: its summary, its header, or a row alone."""
    line = lines[at]
    return line.lstrip().startswith("Active / Total Objects") or bool(_HEAD.match(line) or _ROW.match(line))


def continues(line: str) -> bool:
    """Return whether `line` is part of the summary or of the table."""
    return any(shape.match(line) for shape in (_SUMMARY, _HEAD, _ROW))


def read(text: Text) -> Reading:
    """Read the same facts as `/proc/slabinfo` gives, and what all caches have and use."""
    reader = FactReader(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        if total := _TOTAL.match(entry):
            reader.add("slab.active_bytes", float(total["active"]) * BYTES_PER_KIB, line, "bytes")
            reader.add("slab.total_bytes", float(total["total"]) * BYTES_PER_KIB, line, "bytes")
        elif row := _ROW.match(entry):
            labels = {"cache": row["cache"]}
            reader.add("slab.active_objects", float(row["active"]), line, "count", labels)
            reader.add("slab.objects", float(row["objects"]), line, "count", labels)
            reader.add("slab.size_bytes", float(row["kib"]) * BYTES_PER_KIB, line, "bytes", labels)
        elif entry.strip() and not _SUMMARY.match(entry) and not _HEAD.match(entry):
            reader.skips.add("not a row of slabtop", line)
    return reader.result()
