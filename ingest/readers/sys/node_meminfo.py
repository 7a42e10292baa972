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
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_FIRST = re.compile(r"^Node \d{1,5} MemTotal:")
_ENTRY = re.compile(r"^Node (?P<node>\d{1,5}) (?P<key>[A-Z][\w()]*):\s+(?P<value>\d{1,20})(?P<unit> kB)?\s*$")


def _read(text: Text) -> Reading:
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


FORMAT = Lines(
    name="node-meminfo",
    title="/sys/devices/system/node/nodeN/meminfo",
    example="Node 0 MemTotal:   340336 kB\nNode 0 MemFree:   21824 kB\nNode 0 HugePages_Total:   0",
    paths=("sys/devices/system/node/node*/meminfo",),
    first=_FIRST,
    shapes=(_ENTRY,),
    read=_read,
)
