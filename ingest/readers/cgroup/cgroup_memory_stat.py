"""`memory.stat` of a cgroup: sizes in bytes, events as counts; versions 1 and 2.

Example:
    cache 4001792000
    rss 128729088
    pgscan 3021

A piece of the file (`grep total_`) is recognised by three lines of sizes, one of them of a name that is in no
other file; its counters have the names of those in /proc/vmstat.

Sources: memcg1_stats, memory_stats and memcg_vm_event_stat in mm/memcontrol.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "cgroup-memory-stat"
VERSION = 2
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

_WORDS = (
    "cache|rss|shmem|swap|swapcached|dirty|writeback|anon|file|kernel|pagetables|percpu|sock|vmalloc|zswap|slab"
    "|unevictable"
)
_NAMES = (
    "rss_huge|mapped_file|hierarchical_memory_limit|hierarchical_memsw_limit|(?:in)?active_(?:anon|file)"
    "|kernel_stack|sec_pagetables|file_mapped|file_dirty|file_writeback|(?:anon|file|shmem)_thp"
    "|slab_(?:un)?reclaimable"
)
_SIZE = re.compile(rf"^\s*(?:total_)?(?:{_WORDS}|{_NAMES})\s+\d+\s*$")
_TELLING = re.compile(rf"^\s*(?:{_NAMES}|total_(?:{_WORDS}|{_NAMES}))\s+\d+\s*$")
PIECE_LINES = 3

STARTS = (_FIRST.pattern, Start((_SIZE.pattern,), near=(_TELLING.pattern,), within=PIECE_LINES - 1))


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether memory.stat starts at `lines[at]`: `cache` or `anon`, then more keys; or a piece."""
    piece = lines[at : at + PIECE_LINES]
    if len(piece) == PIECE_LINES and all(map(_SIZE.match, piece)) and any(map(_TELLING.match, piece)):
        return True
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
