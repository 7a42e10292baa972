"""`memory.stat` of a cgroup: sizes in bytes, events as counts; versions 1 and 2.

Example:
    cache 4001792000
    rss 128729088
    pgscan 3021

Sources: memcg1_stats, memory_stats and memcg_vm_event_stat in mm/memcontrol.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "cgroup-memory-stat"
VERSION = 1
TITLE = "Memory cgroup: memory.stat"
EXAMPLE = "cache 4001792000\nrss 128729088\nmapped_file 4001792000\ninactive_anon 128729088"

PATHS: tuple[str, ...] = ("memory.stat",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("memory.stat", "memory.stat.*")

EVENTS = ("pg", "workingset_", "thp_", "zswpin", "zswpout", "zswpwb", "swpin", "swpout", "pswp", "numa_")
"""How counters begin; `total_` in front means the same of the subtree. All else is a size."""

SIZES = frozenset(("numa_anon",))

_FIRST = re.compile(r"^\s*(?:cache|anon|rss|total_cache)\s+\d+\s*$")
_ENTRY = re.compile(r"^\s*[a-z][a-z0-9_]*\s+\d+(?:\s+\D.*)?$")
_COUNTERS = re.compile(
    r"^\s*(?:rss|mapped_file|file|inactive_anon|hierarchical_memory_limit|kernel_stack)\s+\d+\s*$"
)
MIN_LINES = 5
LOOK_AHEAD = 12


STARTS = (_FIRST.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether memory.stat starts at `lines[at]`: `cache` or `anon`, then more of its keys."""
    if not _FIRST.match(lines[at]):
        return False
    following = lines[at : at + LOOK_AHEAD]
    entries = sum(1 for line in following if _ENTRY.match(line))
    return entries >= MIN_LINES and any(_COUNTERS.match(line) for line in following[1:])


def continues(line: str) -> bool:
    """Return whether `line` is one of its entries."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read every key; a repeated key is the next snapshot."""
    reader = FactReader(text)
    labels = cgroup_labels(text.path)
    for line, key, value in reader.numbers():
        is_event = key.removeprefix("total_").startswith(EVENTS) and key not in SIZES
        reader.add(f"memcg.stat.{key}", value, line, "count" if is_event else "bytes", labels)
    return reader.result()
