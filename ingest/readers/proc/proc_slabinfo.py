"""`/proc/slabinfo`: kernel object caches, how many objects of which size.

Example:
    slabinfo - version: 2.1
    # name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> …
    bio-312               12     12    320   12    1 : tunables    0    0    0 : slabdata      1      1      0

The bytes of a cache are its objects times their size. Caches that hold nothing are not listed as facts.
Source: slabinfo(5); cache_show in mm/slab_common.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_HEAD = re.compile(r"^\s*slabinfo - version: \d")
_COLUMNS = re.compile(r"^#\s*name\s+<active_objs>")
_ROW = Pattern(
    r"^(?P<cache>\S.*?)\s+(?P<active>\d+)\s+(?P<objects>\d+)\s+(?P<size>\d+)\s+\d+\s+\d+\s+: "
    r"tunables\b"
)


def _read(text: Text) -> Reading:
    """Read objects and bytes of every cache that holds something."""
    reader = FactReader(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        row = _ROW.match(entry)
        if row:
            objects, labels = float(row["objects"]), {"cache": row["cache"]}
            if objects:
                reader.add("slab.active_objects", float(row["active"]), line, "count", labels)
                reader.add("slab.objects", objects, line, "count", labels)
                reader.add("slab.size_bytes", objects * float(row["size"]), line, "bytes", labels)
        elif entry.strip() and not _HEAD.match(entry) and not _COLUMNS.match(entry):
            reader.skips.add("not a cache of slabinfo", line)
    return reader.result()


FORMAT = Lines(
    name="proc-slabinfo",
    title="/proc/slabinfo",
    example="slabinfo - version: 2.1\n"
    "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables\n"
    "bio-312               12     12    320   12    1 : tunables    0    0    0 : slabdata"
    "      1      1      0",
    paths=("proc/slabinfo",),
    begins_once=True,
    first=_HEAD,
    shapes=(_HEAD, _COLUMNS, _ROW),
    read=_read,
)
