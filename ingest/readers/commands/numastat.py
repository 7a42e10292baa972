"""`numastat`: allocations per NUMA node, and with `-m` the memory of each node in MB.

Examples:
                               node0
    numa_hit               148414097
    numa_miss                      0

                              Node 0           Total
                     --------------- ---------------
    MemTotal                20186.20        20186.20

With `-p` it is the memory of one process, by kind, or of several, a row each.
Source: numastat(8); numactl's numastat.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "numastat"
VERSION = 2
TITLE = "numastat"
EXAMPLE = (
    "                           node0\nnuma_hit               148414097\nnuma_miss                      0"
)

PATHS: tuple[str, ...] = (
    "sos_commands/*/numastat",
    "sos_commands/*/numastat_-m",
    "sos_commands/*/numastat_-p_*",
)
COMMANDS: tuple[str, ...] = (r"numastat(?: -[mn])?", r"numastat -p \S+")
HINTS: tuple[str, ...] = ()

MEBIBYTE = 1 << 20
_NODES = re.compile(r"^\s+node\d+(?:\s+node\d+)*\s*$")
_COLUMNS = re.compile(r"^\s+Node \d+(?:\s+Node \d+)*(?:\s+Total)?\s*$")
_COUNT = re.compile(
    r"^(?P<key>numa_hit|numa_miss|numa_foreign|interleave_hit|local_node|other_node)(?P<cells>(?:\s+\d+)+)\s*$"
)
_SIZE = re.compile(r"^(?P<key>[A-Z]\w*(?:\(\w+\))?)(?P<cells>(?:\s+\d+\.\d\d)+)\s*$")
_PROCESS = re.compile(
    r"^Per-node process memory usage \(in MBs\)(?: for PID (?P<pid>\d{1,10}) \((?P<comm>[^()]{1,64})\))?"
)
_KIND = re.compile(r"^(?P<kind>Huge|Heap|Stack|Private)(?P<cells>(?:\s+\d+\.\d\d)+)\s*$")
_OWNER = re.compile(r"^(?P<pid>\d{1,10}) \((?P<comm>.{1,64}?)\.{0,3}\)(?P<cells>(?:\s+\d+\.\d\d)+)\s*$")
_SUM = re.compile(r"^(?:-[-\s]+|Total(?:\s+\d+\.\d\d)+\s*|PID\s+Node \d+(?:\s+Node \d+)*(?:\s+Total)?\s*)$")
_TITLE = Pattern(r"^Per-node system memory usage \(in MBs\):|^Token \w+ not in hash table\.|^\s+-{5,}[\s-]*$")


STARTS = (
    "Per-node (?:system|process) memory",
    _NODES.pattern,
)


_LINES = (_NODES, _COLUMNS, _COUNT, _SIZE, _TITLE, _PROCESS, _KIND, _OWNER, _SUM)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether one of the tables starts at `lines[at]`."""
    if lines[at].startswith("Per-node system memory usage (in MBs):") or _PROCESS.match(lines[at]):
        return True
    return bool(_NODES.match(lines[at]) and at + 1 < len(lines) and _COUNT.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` belongs to one of the tables."""
    return any(shape.match(line) for shape in _LINES)


def read(text: Text) -> Reading:
    """Read counts and bytes of every node and process; the column `Total` is left out."""
    reader = FactReader(text)
    nodes: list[str] = []
    owner: dict[str, str] | None = None
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _PROCESS.match(entry):
            owner = {key: value for key, value in found.groupdict().items() if value}
        elif owner is not None and (row := _KIND.match(entry) or _OWNER.match(entry)):
            labels = {**owner, **{key: value for key, value in row.groupdict().items() if key != "cells"}}
            for node, cell in zip(nodes, row["cells"].split(), strict=False):
                size = float(cell) * MEBIBYTE
                reader.add("numa.process_bytes", size, line, "bytes", {**labels, "node": node})
        elif entry.startswith("Per-node"):
            owner = None
        elif _NODES.match(entry) or _COLUMNS.match(entry) or entry.startswith("PID "):
            nodes = re.findall(r"[Nn]ode ?(\d+)", entry)
        elif row := _COUNT.match(entry):
            for node, cell in zip(nodes, row["cells"].split(), strict=False):
                reader.add(f"numa.{row['key']}", float(cell), line, "count", {"node": node})
        elif owner is None and (row := _SIZE.match(entry)):
            name = re.sub(r"\W+", "_", row["key"].lower()).strip("_")
            unit = "count" if name.startswith("hugepages") else "bytes"
            for node, cell in zip(nodes, row["cells"].split(), strict=False):
                value = float(cell) * (1 if unit == "count" else MEBIBYTE)
                suffix = "_bytes" if unit == "bytes" else ""
                reader.add(f"numa.{name}{suffix}", value, line, unit, {"node": node})
        elif entry.strip() and not (_TITLE.match(entry) or _SUM.match(entry)):
            reader.skips.add("not a row of numastat", line)
    return reader.result()
