"""`numactl -H`: CPUs, size and free memory of each NUMA node, and the distances between nodes.

Example:
    available: 2 nodes (0-1)
    node 0 cpus: 0 1
    node 0 size: 967 MB
    node 0 free: 502 MB
    node distances:
    node   0   1
      0:  10  21
      1:  21  10

Source: hardware() in numactl's numactl.c; numactl(8).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "numactl-hardware"
VERSION = 1
TITLE = "numactl -H"
EXAMPLE = "available: 1 nodes (0)\nnode 0 cpus: 0 1\nnode 0 size: 16008 MB\nnode 0 free: 165 MB"

PATHS: tuple[str, ...] = ("sos_commands/*/numactl_--hardware",)
COMMANDS: tuple[str, ...] = (r"numactl (?:-H|--hardware)",)
HINTS: tuple[str, ...] = ()

MEBIBYTE = 1 << 20
_HEAD = re.compile(r"^\s*available: (?P<count>\d{1,5}) nodes?(?: \([\d,-]+\))?\s*$")
_CPUS = re.compile(r"^\s*node (?P<node>\d{1,5}) cpus:(?P<cpus>(?: \d{1,6})*)\s*$")
_SIZE = re.compile(r"^\s*node (?P<node>\d{1,5}) (?P<key>size|free): (?P<size>\d{1,12}) MB\s*$")
_TITLE = re.compile(r"^\s*node distances:\s*$")
_COLUMNS = re.compile(r"^\s*node(?P<nodes>(?:\s+\d{1,5})+)\s*$")
_DISTANCES = re.compile(r"^\s*(?P<node>\d{1,5}):(?P<cells>(?:\s+\d{1,5})+)\s*$")

STARTS = (r"\s*available: \d+ node", r"\s*node \d+ (?:cpus|size|free):")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the list of nodes is at `lines[at]`."""
    return any(shape.match(lines[at]) for shape in (_HEAD, _CPUS, _SIZE))


def continues(line: str) -> bool:
    """Return whether `line` is of a node or of the table of distances."""
    return any(shape.match(line) for shape in (_HEAD, _CPUS, _SIZE, _TITLE, _COLUMNS, _DISTANCES))


def read(text: Text) -> Reading:
    """Read CPUs, size and free memory of every node, and its distances."""
    reader = FactReader(text)
    columns: list[str] = []
    for line, entry in reader.lines():
        if found := _CPUS.match(entry):
            count = float(len(found["cpus"].split()))
            reader.add("numa.node.cpus", count, line, "count", {"node": found["node"]})
        elif found := _SIZE.match(entry):
            value = float(found["size"]) * MEBIBYTE
            reader.add(f"numa.node.{found['key']}_bytes", value, line, "bytes", {"node": found["node"]})
        elif found := _COLUMNS.match(entry):
            columns = found["nodes"].split()
        elif columns and (found := _DISTANCES.match(entry)):
            for other, cell in zip(columns, found["cells"].split(), strict=False):
                reader.add("numa.distance", float(cell), line, "count", {"node": found["node"], "to": other})
        elif not _HEAD.match(entry) and not _TITLE.match(entry):
            reader.skips.add("not a line of numactl -H", line)
    return reader.result()
