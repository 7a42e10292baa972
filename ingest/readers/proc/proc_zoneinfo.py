"""`/proc/zoneinfo`: free pages and watermarks of each zone, counters of each node.

Example:
    Node 0, zone   Normal
      pages free     1287634
            boost    0
            min      13311
            low      16638
            high     19965
            managed  5251523
          nr_zone_inactive_anon 663794

Below `low` kswapd runs, below `min` every allocation reclaims. Page sets of single CPUs are counted, not
stored.
Source: zoneinfo_show_print in mm/vmstat.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-zoneinfo"
VERSION = 1
TITLE = "/proc/zoneinfo"
EXAMPLE = (
    "Node 0, zone   Normal\n  pages free     1287634\n        min      13311\n        low      16638\n"
    "        high     19965"
)

PATHS: tuple[str, ...] = ("proc/zoneinfo",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_zoneinfo*",)

_ZONE = re.compile(r"^Node (?P<node>\d+), zone\s+(?P<zone>\w+)\s*$")
_ENTRY = re.compile(r"^\s+(?:pages\s+)?(?P<key>[a-z][a-z0-9_]*):?\s+(?P<value>\d+)\s*$")
_PROTECTION = re.compile(r"^\s+protection: \([\d, ]*\)\s*$")
_HEADING = re.compile(r"^\s+(?:per-node stats|pagesets)\s*$")
_CPU = re.compile(r"^\s+cpu: \d+\s*$")
_OF_CPU = frozenset(("count", "high", "batch", "high_min", "high_max"))
WATERMARKS = frozenset(
    ("free", "boost", "min", "low", "high", "promo", "spanned", "present", "managed", "cma")
)


STARTS = (_ZONE.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: a zone, then its entries."""
    following = lines[at + 1] if at + 1 < len(lines) else ""
    return bool(_ZONE.match(lines[at]) and (_HEADING.match(following) or _ENTRY.match(following)))


def continues(line: str) -> bool:
    """Return whether `line` can occur in the file."""
    if re.match(r"^\s+vm stats threshold: \d+\s*$", line):
        return True
    return any(shape.match(line) for shape in (_ZONE, _ENTRY, _PROTECTION, _HEADING, _CPU))


def read(text: Text) -> Reading:
    """Read pages of every zone and node; counters under `per-node stats` carry the node alone."""
    reader = FactReader(text)
    labels: dict[str, str] = {}
    zone: dict[str, str] = {}
    is_in_pagesets = False
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _ZONE.match(entry):
            zone = {"node": found["node"], "zone": found["zone"]}
            labels, is_in_pagesets = zone, False
        elif _HEADING.match(entry):
            is_in_pagesets = "pagesets" in entry
            labels = {"node": zone.get("node", "")}
        elif (found := _ENTRY.match(entry)) and zone:
            key = found["key"]
            if is_in_pagesets and key in _OF_CPU:
                reader.skips.add("page set of one CPU", line)
                continue
            if "pages " in entry or key in WATERMARKS or key.startswith("nr_zone"):
                labels, is_in_pagesets = zone, False
            reader.add(f"zoneinfo.{key}", float(found["value"]), line, "count", labels)
        elif _CPU.match(entry) or "vm stats threshold" in entry:
            reader.skips.add("page set of one CPU", line)
        elif entry.strip() and not _PROTECTION.match(entry):
            reader.skips.add("not an entry of zoneinfo", line)
    return reader.result()
