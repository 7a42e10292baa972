"""`perf kmem stat`: what the slab allocator was asked for, by caller, and what it gave.

Examples:
     Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
     ext4_htree_store_dirent+34         |    661248/70    |    551749/59    |     9336 |         0 | 16.559%

    SUMMARY (SLAB allocator)
    ========================
    Total bytes requested: 7847407
    Cross CPU allocations: 0/17001

`Per` is of one allocation; ping-pong counts objects that another CPU freed than allocated them. Offsets of
callers are hexadecimal. Callers of the same function are rows of their own and one fact.
Source: tools/perf/builtin-kmem.c (__print_slab_result, print_slab_summary).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.series import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "perf-kmem"
VERSION = 1
TITLE = "perf kmem"
COMMAND = "perf kmem stat --caller"
EXAMPLE = (
    " Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag\n"
    " ext4_htree_store_dirent+34         |    661248/70    |    551749/59    |     9336 |         0 | 16.559%"
)

MOST_CALLERS = 50
"""Callers that are facts: those with the most bytes."""

_HEAD = re.compile(r"^\s*(?P<what>Callsite|Alloc Ptr)\s+\| Total_alloc/Per \| Total_req/Per\s+\| Hit\s+\|")
_ROW = Pattern(
    r"^\s*(?P<site>\S.*?)\s*\|\s*(?P<allocated>\d+)/(?P<each>\d+)\s*\|\s*(?P<requested>\d+)/\d+\s*\|"
    r"\s*(?P<hits>\d+)\s*\|\s*(?P<moved>\d+)\s*\|\s*(?P<waste>\d+(?:\.\d+)?)%\s*$"
)
_MORE = re.compile(r"^\s*\.\.\.\s*(?:\|\s*\.\.\.\s*)+$")
_RULE = re.compile(r"^\s*[-=]{10,}\s*$")
_TITLE = re.compile(r"^\s*SUMMARY \(SLAB allocator\)\s*$")
_TOTALS = {
    "Total bytes requested": "kmem.requested_bytes",
    "Total bytes allocated": "kmem.allocated_bytes",
    "Total bytes freed": "kmem.freed_bytes",
    "Net total bytes allocated": "kmem.net_allocated_bytes",
    "Total bytes wasted on internal fragmentation": "kmem.wasted_bytes",
}
_TOTAL = Pattern(rf"^\s*(?P<key>{'|'.join(_TOTALS)}):\s+(?P<value>[\d,]{{1,26}})\s*$")
_SHARE = re.compile(r"^\s*Internal fragmentation:\s+(?P<value>\d+\.\d+)%\s*$")
_CROSS = re.compile(r"^\s*Cross CPU allocations:\s+(?P<cross>[\d,]{1,26})/(?P<all>[\d,]{1,26})\s*$")
_SHAPES = (_HEAD, _ROW, _MORE, _RULE, _TITLE, _TOTAL, _SHARE, _CROSS)

STARTS = (_HEAD.pattern, _TITLE.pattern, r"\s*Total bytes requested:")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of a table or of the summary is at `lines[at]`."""
    total = _TOTAL.match(lines[at])
    is_first = total is not None and total["key"] == "Total bytes requested"
    return is_first or any(shape.match(lines[at]) for shape in (_HEAD, _TITLE))


def continues(line: str) -> bool:
    """Return whether `line` belongs to a table or the summary."""
    return any(shape.match(line) for shape in _SHAPES)


def read(text: Text) -> Reading:
    """Read every caller as a row, the largest as facts, and the totals."""
    reader = FactReader(text)
    rows = Rows("kmem_callers")
    callers: dict[str, list[float]] = {}
    is_of_callers = True
    for line, entry in enumerate(text.lines, start=text.first_line):
        if head := _HEAD.match(entry):
            is_of_callers = head["what"] == "Callsite"
        elif row := _ROW.match(entry):
            allocated, requested = float(row["allocated"]), float(row["requested"])
            cells = {
                "caller": row["site"],
                "allocated_bytes": allocated,
                "requested_bytes": requested,
                "allocations": float(row["hits"]),
                "freed_elsewhere": float(row["moved"]),
                "wasted_share": float(row["waste"]) / 100,
            }
            if not is_of_callers:
                reader.skips.add("row of one object, not of a caller", line)
                continue
            rows.add(line, cells)
            known = callers.setdefault(row["site"].partition("+")[0], [0.0, 0.0, 0.0, float(line)])
            for place, value in enumerate((allocated, requested, float(row["hits"]))):
                known[place] += value
        elif not _stated(reader, entry, line) and entry.strip() and not _is_drawn(entry):
            reader.skips.add("not a row of perf kmem", line)
    for function, (allocated, _, count, at) in sorted(callers.items(), key=lambda one: -one[1][0])[
        :MOST_CALLERS
    ]:
        labels = {"function": function}
        reader.add("kmem.caller.allocated_bytes", allocated, int(at), "bytes", labels)
        reader.add("kmem.caller.allocations", count, int(at), "count", labels)
    read_out = reader.result()
    return Reading(
        facts=read_out.facts, row_sets=rows.sets(), skipped=read_out.skipped, quality=read_out.quality
    )


def _stated(reader: FactReader, entry: str, line: int) -> bool:
    """Take a total; return whether the line states one."""
    if total := _TOTAL.match(entry):
        reader.add(_TOTALS[total["key"]], _number(total["value"]), line, "bytes")
    elif share := _SHARE.match(entry):
        reader.add("kmem.wasted_share", float(share["value"]) / 100, line, "share")
    elif cross := _CROSS.match(entry):
        reader.add("kmem.cross_cpu_allocations", _number(cross["cross"]), line, "count")
        reader.add("kmem.allocations", _number(cross["all"]), line, "count")
    else:
        return False
    return True


def _is_drawn(entry: str) -> bool:
    return any(shape.match(entry) for shape in (_RULE, _TITLE, _MORE))


def _number(printed: str) -> float:
    return float(printed.replace(",", "") or 0)
