"""One number of a memory cgroup: usage, limit, peak, failures; versions 1 and 2.

Examples (`==> memory.failcnt <==` and the like; `max` is no limit):
    4294967296

    /sys/fs/cgroup/memory/shop/memory.failcnt:48213             grep . memory.*
    memory.usage_in_bytes = 1073737728                          written down by a person

Sources: Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "cgroup-memory-value"
VERSION = 2
TITLE = "Memory cgroup: one value"
EXAMPLE = "4294967296"

VERSION_1 = {
    "memory.usage_in_bytes": "memcg.usage_bytes",
    "memory.limit_in_bytes": "memcg.limit_bytes",
    "memory.max_usage_in_bytes": "memcg.max_usage_bytes",
    "memory.soft_limit_in_bytes": "memcg.soft_limit_bytes",
    "memory.failcnt": "memcg.failcnt",
    "memory.swappiness": "memcg.swappiness",
    "memory.memsw.usage_in_bytes": "memcg.memsw.usage_bytes",
    "memory.memsw.limit_in_bytes": "memcg.memsw.limit_bytes",
    "memory.memsw.max_usage_in_bytes": "memcg.memsw.max_usage_bytes",
    "memory.memsw.failcnt": "memcg.memsw.failcnt",
    "memory.kmem.usage_in_bytes": "memcg.kmem.usage_bytes",
    "memory.kmem.limit_in_bytes": "memcg.kmem.limit_bytes",
    "memory.kmem.max_usage_in_bytes": "memcg.kmem.max_usage_bytes",
    "memory.kmem.failcnt": "memcg.kmem.failcnt",
    "memory.kmem.tcp.usage_in_bytes": "memcg.kmem_tcp.usage_bytes",
    "memory.kmem.tcp.limit_in_bytes": "memcg.kmem_tcp.limit_bytes",
    "memory.kmem.tcp.max_usage_in_bytes": "memcg.kmem_tcp.max_usage_bytes",
    "memory.kmem.tcp.failcnt": "memcg.kmem_tcp.failcnt",
    "memory.use_hierarchy": "memcg.use_hierarchy",
}
VERSION_2 = {
    "memory.current": "memcg.usage_bytes",
    "memory.max": "memcg.limit_bytes",
    "memory.peak": "memcg.max_usage_bytes",
    "memory.high": "memcg.high_bytes",
    "memory.low": "memcg.low_bytes",
    "memory.min": "memcg.min_bytes",
    "memory.swap.current": "memcg.swap.usage_bytes",
    "memory.swap.max": "memcg.swap.limit_bytes",
    "memory.swap.high": "memcg.swap.high_bytes",
    "memory.swap.peak": "memcg.swap.max_usage_bytes",
    "memory.zswap.current": "memcg.zswap.usage_bytes",
    "memory.zswap.max": "memcg.zswap.limit_bytes",
    "memory.oom.group": "memcg.oom_group",
}
FACTS = VERSION_1 | VERSION_2

PATHS: tuple[str, ...] = tuple(FACTS)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = tuple(pattern for name in FACTS for pattern in (name, f"{name}.txt"))


_NAMED = re.compile(
    r"^\s*(?P<path>(?:\S{0,400}/)?(?P<file>memory\.[a-z_.]{2,40}))(?:\s{0,20}[:=]\s{0,20}|\s{1,20})"
    r"(?P<value>max|-?\d{1,20})\s*$"
)

STARTS = (_NAMED.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether `lines[at]` names a file of a memory cgroup beside its value."""
    return continues(lines[at])


def continues(line: str) -> bool:
    """Return whether `line` names a file of a memory cgroup beside its value."""
    return bool((found := _NAMED.match(line)) and found["file"] in FACTS)


def read(text: Text) -> Reading:
    """Read the values, each named by its line or by the file; a value again is the next snapshot."""
    reader = FactReader(text)
    path = text.path or text.filename
    for line, entry in reader.lines():
        if found := _NAMED.match(entry):
            _add(reader, line, found["path"], found["value"])
        else:
            _add(reader, line, path, entry.split()[0])
    return reader.result()


def _add(reader: FactReader, line: int, path: str, printed: str) -> None:
    """Add what the file at `path` prints."""
    file = path.rsplit("/", 1)[-1].removesuffix(".txt")
    name, value = FACTS.get(file), number(printed)
    if name is None or value is None:
        reader.skips.add("not a number" if name else f"{file} is not known", line)
        return
    reader.add(name, value, line, "bytes" if name.endswith("_bytes") else "count", cgroup_labels(path))
    if name == "memcg.limit_bytes":
        reader.add("cgroup.version", "v1" if file in VERSION_1 else "v2", line)
