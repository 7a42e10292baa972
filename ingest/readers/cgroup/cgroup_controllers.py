"""`cgroup.controllers`: its presence proves cgroup version 2 (or the unified side of a hybrid).

Example:
    cpuset cpu io memory hugetlb pids rdma misc

Source: Documentation/admin-guide/cgroup-v2.rst.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text


def _read(text: Text) -> Reading:
    """Read the controllers; below `unified/` the other controllers are in version 1 hierarchies."""
    reader = FactReader(text)
    version = "hybrid" if "/unified/" in f"/{text.path}" else "v2"
    for line, entry in reader.lines():
        reader.add("cgroup.version", version, line)
        reader.add("cgroup.controllers", entry, line, "", cgroup_labels(text.path))
    return reader.result()


FACTS = {
    "cgroup.controllers": Meaning(
        "controllers that the group offers",
        labels=("cgroup",),
        example="cgroup.controllers = cpuset cpu io memory hugetlb pids rdma misc",
    ),
}
FORMAT = Lines(
    name="cgroup-controllers",
    title="Cgroup: controllers",
    example="cpuset cpu io memory hugetlb pids rdma misc",
    paths=("cgroup.controllers",),
    read=_read,
)
