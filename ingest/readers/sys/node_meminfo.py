"""`/sys/devices/system/node/nodeN/meminfo`: memory of one NUMA node.

Example:
    Node 0 MemTotal:         340336 kB
    Node 0 MemFree:           21824 kB
    Node 0 HugePages_Total:     0

Source: node_read_meminfo in drivers/base/node.c; `kB` is 1024 bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "node-meminfo"
VERSION = 1
TITLE = "/sys/devices/system/node/nodeN/meminfo"
EXAMPLE = "Node 0 MemTotal:   340336 kB\nNode 0 MemFree:   21824 kB\nNode 0 HugePages_Total:   0"

PATHS: tuple[str, ...] = ("sys/devices/system/node/node*/meminfo",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_ENTRY = re.compile(r"^Node (?P<node>\d{1,5}) (?P<key>[A-Z][\w()]*):\s+(?P<value>\d{1,20})(?P<unit> kB)?\s*$")

STARTS = (r"Node \d{1,5} MemTotal:",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`."""
    return bool(_ENTRY.match(lines[at])) and "MemTotal:" in lines[at]


def continues(line: str) -> bool:
    """Return whether `line` is an entry."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read `numa.<key>` of the node, as `numastat -m` has them: bytes, or a count of huge pages."""
    reader = FactReader(text)
    for line, row in reader.matching(_ENTRY, "not an entry of a node"):
        name = re.sub(r"\W+", "_", row["key"].lower()).strip("_")
        value, labels = float(row["value"]), {"node": row["node"]}
        if row["unit"]:
            reader.add(f"numa.{name}_bytes", value * BYTES_PER_KIB, line, "bytes", labels)
        else:
            reader.add(f"numa.{name}", value, line, "count", labels)
    return reader.result()
