"""`memory.events` of a cgroup (version 2): how often a limit was reached.

Example:
    low 0
    high 0
    max 1173
    oom 0
    oom_kill 0

Source: __memory_events_show in mm/memcontrol.c; `oom_group_kill` since 5.17.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "cgroup-memory-events"
VERSION = 1
TITLE = "Memory cgroup: memory.events"
EXAMPLE = "low 0\nhigh 0\nmax 1173\noom 0\noom_kill 0"

PATHS: tuple[str, ...] = ("memory.events", "memory.events.local", "memory.swap.events")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("memory.events", "memory.events.*", "memory.swap.events")

PREFIXES = {
    "memory.events": "memcg.events",
    "memory.events.local": "memcg.events_local",
    "memory.swap.events": "memcg.swap.events",
}

_ORDER = ("low", "high", "max", "oom", "oom_kill")
_ENTRY = re.compile(r"^\s*(?P<key>low|high|max|oom|oom_kill|oom_group_kill|sock_throttled|fail)\s+\d+\s*$")


STARTS = (r"\s*low\s+\d",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether memory.events starts at `lines[at]`: its five keys in their order."""
    found = [_ENTRY.match(line) for line in lines[at : at + len(_ORDER)]]
    return [entry["key"] if entry else "" for entry in found] == list(_ORDER)


def continues(line: str) -> bool:
    """Return whether `line` is one of its entries."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read every key; a repeated key is the next snapshot."""
    reader = FactReader(text)
    file = (text.path or text.filename).rsplit("/", 1)[-1]
    prefix = PREFIXES.get(file, "memcg.events")
    labels = cgroup_labels(text.path)
    for line, key, value in reader.numbers():
        reader.add(f"{prefix}.{key}", value, line, "count", labels)
    return reader.result()
