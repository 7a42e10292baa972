"""`cgroup.stat`: living and dying descendants of a cgroup (version 2).

Example:
    nr_descendants 4
    nr_dying_descendants 12
    nr_dying_subsys_memory 12

Source: cgroup_stat_show in kernel/cgroup/cgroup.c; `nr_subsys_*` since 6.12.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_FIRST = re.compile(r"^\s*nr_descendants ")
_ENTRY = re.compile(r"^\s*nr_(?:dying_)?(?:descendants|subsys_\w+)\s+\d+\s*$")


def _read(text: Text) -> Reading:
    """Read every key; a repeated key is the next snapshot."""
    reader = FactReader(text)
    labels = cgroup_labels(text.path)
    for line, key, value in reader.numbers():
        reader.add(f"cgroup.stat.{key}", value, line, "count", labels)
    return reader.result()


FACTS = {
    "cgroup.stat.<key>": Meaning(
        "descendants of the group, living and dying", "count", ("cgroup",), "cgroup.stat.nr_descendants = 0"
    ),
}
FORMAT = Lines(
    name="cgroup-stat",
    title="Cgroup: cgroup.stat",
    example="nr_descendants 4\nnr_dying_descendants 12",
    paths=("cgroup.stat",),
    hints=("cgroup.stat", "cgroup.stat.*"),
    first=_FIRST,
    shapes=(_ENTRY,),
    read=_read,
)
