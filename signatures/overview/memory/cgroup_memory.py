"""What a memory cgroup holds by its memory.stat: memory of processes, page cache, memory of the kernel.

A cgroup holds 216.3 MiB of process memory, 36.48 MiB of page cache and 2.945 MiB of kernel memory
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from collections.abc import Hashable

    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

MIB = 1024.0**2
PARTS = (
    ("process memory", ("total_rss", "rss", "anon")),
    ("page cache", ("total_cache", "cache", "file")),
    ("kernel memory", ("kernel", "slab")),
)
"""The first name of each that is there: in version 1 that of the subtree; `kernel` since 5.18."""

CAPTURE = (
    "cd /sys/fs/cgroup/PATH; grep . memory.max memory.current memory.limit_in_bytes memory.usage_in_bytes "
    "memory.kmem.usage_in_bytes memory.stat; cat memory.kmem.slabinfo"
)
ASKS = "what the cgroup holds in all, kernel memory included, and its limit"


def cgroup_memory(evidence: ScopeEvidence) -> Answer:
    """Return the parts of the cgroup that holds most."""
    groups: dict[Hashable, list[tuple[str, FactEntry]]] = defaultdict(list)
    for words, names in PARTS:
        for name in names:
            for entry in evidence.facts(f"memcg.stat.{name}"):
                parts = groups[id(entry.item), entry.label("cgroup"), entry.fact.snapshot]
                if words not in (one for one, _ in parts):
                    parts.append((words, entry))
    most = max(groups.values(), key=lambda parts: sum(one.number for _, one in parts), default=None)
    if most is None or not any(one.number for _, one in most):
        return Answer("No memory of a cgroup.")
    group = most[0][1].label("cgroup") or "A cgroup"
    figures = tuple(Figure(f"{group}: {words}", one.number, "bytes", (one.place,)) for words, one in most)
    sizes = [f"{_words(one.number)} of {words}" for words, one in most]
    text = f"{group} holds {', '.join(sizes[:-1])}{' and ' if sizes[1:] else ''}{sizes[-1]}"
    places = tuple(one.place for _, one in most)
    capture = "" if any(words == "kernel memory" for words, _ in most) else CAPTURE
    statement = Statement(
        "cgroup-limits",
        text,
        places,
        "fact",
        "context",
        capture,
        asks=ASKS if capture else "",
        subject=f"memory of {group}",
        names=tuple(words for words, _ in most),
    )
    return Answer(f"{text}.", figures, (), (statement,))


def _words(size: float) -> str:
    return value_words(size, "bytes") if size >= MIB else f"{size / 1024.0:,.0f} KiB"
