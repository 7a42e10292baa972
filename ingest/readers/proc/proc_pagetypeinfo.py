"""`/proc/pagetypeinfo`: free blocks of each zone by order and migrate type, and page blocks by type.

Example:
    Page block order: 9
    Pages per block:  512

    Free pages count per migrate type at order       0      1      2      3      4      5      6      7      8
    Node    0, zone   Normal, type    Unmovable   3883   4534   1930    766    431    241    105     60     30

    Number of blocks type     Unmovable      Movable  Reclaimable   HighAtomic      Isolate
    Node 0, zone   Normal          493         9336          923            0            0

Compaction moves pages of type Movable alone: blocks of the others stay where they are. From 100,000 on the
kernel ends the count of a list and prints `>100000`, a lower bound.
Source: pagetypeinfo_show in mm/vmstat.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-pagetypeinfo"
VERSION = 1
TITLE = "/proc/pagetypeinfo"
EXAMPLE = (
    "Page block order: 9\n"
    "Pages per block:  512\n\n"
    "Free pages count per migrate type at order       0      1      2      3      4      5      6\n"
    "Node    0, zone   Normal, type    Unmovable   3883   4534   1930    766    431    241    105"
)

PATHS: tuple[str, ...] = ("proc/pagetypeinfo",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("pagetypeinfo*",)

_ORDER = re.compile(r"^Page block order: (?P<order>\d{1,2})\s*$")
_PAGES = re.compile(r"^Pages per block:\s+(?P<pages>\d{1,8})\s*$")
_FREE_HEAD = re.compile(r"^Free pages count per migrate type at order(?:\s+\d{1,2})+\s*$")
_FREE = re.compile(
    r"^Node\s+(?P<node>\d{1,5}), zone\s+(?P<zone>\w{1,20}), type\s+(?P<type>\w{1,20})"
    r"(?P<blocks>(?:\s+>?\d{1,15}){6,20})\s*$"
)
_BLOCKS_HEAD = re.compile(
    r"^Number of (?P<what>blocks|mixed blocks)\s+(?:type\s+)?(?P<types>[A-Z]\w*(?:\s+[A-Z]\w*)+)\s*$"
)
_BLOCKS = re.compile(
    r"^Node\s+(?P<node>\d{1,5}), zone\s+(?P<zone>\w{1,20})(?P<counts>(?:\s+\d{1,15}){2,12})\s*$"
)

STARTS = (r"Page block order: \d", r"Free pages count per migrate type", r"Number of blocks type\s")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file, or one of its tables, starts at `lines[at]`."""
    line = lines[at]
    return bool(_ORDER.match(line) or _FREE_HEAD.match(line) or _BLOCKS_HEAD.match(line))


def continues(line: str) -> bool:
    """Return whether `line` can occur in the file."""
    return any(shape.match(line) for shape in (_ORDER, _PAGES, _FREE_HEAD, _FREE, _BLOCKS_HEAD, _BLOCKS))


def read(text: Text) -> Reading:
    """Read the free blocks of each zone, order and type, and the page blocks of each zone and type."""
    reader = FactReader(text)
    types: list[str] = []
    what = ""
    for line, entry in reader.lines():
        if head := _BLOCKS_HEAD.match(entry):
            types, what = head["types"].split(), head["what"].replace(" ", "_")
        elif free := _FREE.match(entry):
            _free(reader, free, line)
        elif types and (row := _BLOCKS.match(entry)):
            counts = row["counts"].split()
            if len(counts) != len(types):
                reader.skips.add("not as many counts as types", line)
                continue
            for kind, count in zip(types, counts, strict=True):
                labels = {"node": row["node"], "zone": row["zone"], "type": kind.lower()}
                reader.add(f"pagetypeinfo.{what}", float(count), line, "count", labels)
        elif pages := _PAGES.match(entry):
            reader.add("pagetypeinfo.pages_per_block", float(pages["pages"]), line, "count")
        elif not _ORDER.match(entry) and not _FREE_HEAD.match(entry):
            reader.skips.add("not a zone of pagetypeinfo", line)
    return reader.result()


def _free(reader: FactReader, row: re.Match[str], line: int) -> None:
    """Add the free blocks of one zone and type by order."""
    for order, count in enumerate(row["blocks"].split()):
        if count.startswith(">"):
            reader.remark("cut_off", "the kernel counts no more than 100,000 free blocks of a list", line)
        labels = {"node": row["node"], "zone": row["zone"], "type": row["type"].lower(), "order": str(order)}
        reader.add("pagetypeinfo.free_blocks", float(count.lstrip(">")), line, "count", labels)
