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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "cgroup-stat"
VERSION = 1
TITLE = "Cgroup: cgroup.stat"
EXAMPLE = "nr_descendants 4\nnr_dying_descendants 12"

PATHS: tuple[str, ...] = ("cgroup.stat",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("cgroup.stat", "cgroup.stat.*")

_ENTRY = re.compile(r"^\s*nr_(?:dying_)?(?:descendants|subsys_\w+)\s+\d+\s*$")


STARTS = (r"\s*nr_descendants ",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether cgroup.stat starts at `lines[at]`."""
    return lines[at].strip().startswith("nr_descendants ") and bool(_ENTRY.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is one of its entries."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read every key; a repeated key is the next snapshot."""
    reader = FactReader(text)
    labels = cgroup_labels(text.path)
    for line, key, value in reader.numbers():
        reader.add(f"cgroup.stat.{key}", value, line, "count", labels)
    return reader.result()
