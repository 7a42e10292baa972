"""`perf c2c report --stdio`: cache lines that several CPUs write and read, and who does.

Examples:
      Load Operations                   :    2903443
      Load Local HITM                   :       2092
      LLC Misses to Remote cache (HITM) :      100.0%

    # Index             Address  Node  PA cnt     Hitm    Total  LclHitm  RmtHitm  records …
          0      0x20ea08034080     0    1734  100.00%     2096     2092        4     3152 …

          75.00%   49.62%    0.00%    0.00%    0.00%    0x30   0   1   0x53dc88 …  [.] run  app.linux

HITM is a load that found its line modified in the cache of another CPU; on Arm `Peer` is one that another
CPU's cache answered. Columns differ between releases: of lines the share and the number behind it are read,
of accesses the shares, the offset in the line, symbol and object.
Source: tools/perf/builtin-c2c.c; perf-c2c(1).
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

NAME = "perf-c2c"
VERSION = 2
TITLE = "perf c2c"
COMMAND = "perf c2c report --stdio"
EXAMPLE = (
    "=================================================\n"
    "            Trace Event Information\n"
    "=================================================\n"
    "  Total records                     :       9007\n"
    "  Load Operations                   :       3266\n"
    "  Load Local HITM                   :       2092"
)

MOST_LINES = 20
"""Cache lines that are facts: the report has the most contended first."""

_TITLES = (
    "Trace Event Information",
    "Global Shared Cache Line Event Information",
    "c2c details",
    "Shared Data Cache Line Table",
    "Shared Cache Line Distribution Pareto",
)
_TITLE = re.compile(rf"^\s*(?:{'|'.join(_TITLES)})\s*$")
_RULE = re.compile(r"^\s*[=-]{20,}\s*$")
_HEAD = re.compile(r"^\s*#")
_VALUE = Pattern(r"^  (?P<key>[A-Z][\w /()-]{2,40}?)\s+:\s+(?P<value>\d{1,20})(?P<point>\.\d+%)?\s*$")
_DETAIL = Pattern(r"^\s{2,40}(?:Events|Cachelines sort on|Cacheline data grouping)?\s*:\s+\S.*$")
_LINE = Pattern(
    r"^\s*(?P<index>\d{1,6})\s+(?P<address>0x[0-9a-f]{1,16})\s+(?P<node>\S+\s+)?(?P<pages>\d+)\s+"
    r"(?P<share>\d{1,3}\.\d\d)%\s+(?P<hits>\d+)(?:\s+\d+){5,30}\s*$"
)
_OWN = Pattern(r"^\s*(?P<index>\d{1,6})(?:\s+\d+){2,6}\s+(?P<address>0x[0-9a-f]{1,16})\s*$")
_ACCESS = Pattern(
    r"^\s+(?P<shares>(?:\d{1,3}\.\d\d%\s+){2,8})(?P<offset>0x[0-9a-f]{1,4})\s+(?P<cells>\S.*?)\s"
    r"\[(?P<mode>[\w.])\]\s(?P<symbol>\S.*?)\s{2,}(?P<object>\S+)(?:\s.*)?$"
)

_PARETO = re.compile(r"^\s*(?:\d{1,3}\.\d\d%\s+){2,8}0x[0-9a-f]{1,4}\s+\d+\s+\d+\s+0x[0-9a-f]+\s")
"""An access to a cache line, which a paste may begin with: shares, offset, node, page and code address."""

_SHAPES = (_TITLE, _RULE, _HEAD, _VALUE, _DETAIL, _LINE, _OWN, _ACCESS, _PARETO)

STARTS = (_TITLE.pattern, _RULE.pattern, _PARETO.pattern, _OWN.pattern)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a part starts at `lines[at]`: its title, or an access."""
    if _PARETO.match(lines[at]) and _ACCESS.match(lines[at]):
        return True
    ahead = at + 1 if _RULE.match(lines[at]) else at
    if ahead < len(lines) and _TITLE.match(lines[ahead]):
        return True
    return any(map(_OWN.match, lines[ahead : ahead + 1])) and any(
        map(_PARETO.match, lines[ahead + 1 : ahead + 4])
    )


def continues(line: str) -> bool:
    """Return whether `line` can occur in the report."""
    return any(shape.match(line) for shape in _SHAPES)


def read(text: Text) -> Reading:
    """Read the counts of the trace, the contended lines as facts, and accesses to them as rows."""
    reader = FactReader(text)
    rows = Rows("c2c_accesses")
    address, title, lines = "", "", 0
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _TITLE.match(entry):
            title = found[0].strip()
        elif found := _VALUE.match(entry):
            # The second part counts the same kinds of loads, on shared lines alone.
            _count(reader, "c2c.shared" if title.startswith("Global") else "c2c", found, line)
        elif found := _LINE.match(entry):
            lines += 1
            if lines <= MOST_LINES:
                labels = {"address": found["address"]}
                reader.add("c2c.line.hits_share", float(found["share"]) / 100, line, "share", labels)
                reader.add("c2c.line.hits", float(found["hits"]), line, "count", labels)
        elif found := _OWN.match(entry):
            address = found["address"]
        elif found := _ACCESS.match(entry):
            shares = [float(share.rstrip("%")) / 100 for share in found["shares"].split()]
            cells = {
                "address": address,
                "offset": found["offset"],
                "remote_hits_share": shares[0],
                "local_hits_share": shares[1],
                "symbol": found["symbol"],
                "object": found["object"],
            }
            rows.add(line, cells)
        elif entry.strip() and not any(shape.match(entry) for shape in (_RULE, _HEAD, _DETAIL)):
            reader.skips.add("not a row of perf c2c", line)
    read_out = reader.result()
    return Reading(
        facts=read_out.facts, row_sets=rows.sets(), skipped=read_out.skipped, quality=read_out.quality
    )


def _count(reader: FactReader, family: str, found: re.Match[str], line: int) -> None:
    """Add one of the counts or shares at the beginning of the report."""
    key = re.sub(r"[^a-z0-9]+", "_", found["key"].lower()).strip("_")
    value = float(found["value"] + (found["point"] or "").rstrip("%"))
    if found["point"]:
        reader.add(f"{family}.{key}_share", value / 100, line, "share")
    else:
        reader.add(f"{family}.{key}", value, line, "count")
