"""Memory that the kernel holds for itself and that reclaim cannot free: slab and per-CPU memory together.

1.08 of 1.92 GiB (56.3 %) of memory is memory of the kernel: 28.6 % unreclaimable slab, 27.6 % per-CPU memory
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Statement

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

GIB = 1024.0**3
PERCPU_SHARE = 0.1
CGROUPS = (
    "cat /proc/cgroups; find /sys/fs/cgroup -type d | wc -l; grep -s . /sys/fs/cgroup/cgroup.stat; "
    "slabtop -o -s c | head -20"
)
CGROUPS_ASKS = "how many cgroups are dying, and which slab caches hold the memory"
"""Documentation/admin-guide/cgroup-v2.rst, nr_dying_descendants."""


def kernel_memory(evidence: ScopeEvidence, total: FactEntry) -> Statement | None:
    """Return the sum of unreclaimable slab and per-CPU memory where both are large; one cause holds both."""
    slab = evidence.highest("meminfo.sunreclaim_bytes")
    percpu = evidence.highest("meminfo.percpu_bytes")
    least = PERCPU_SHARE * total.number
    if (
        slab is None
        or percpu is None
        or slab.item is not percpu.item
        or min(slab.number, percpu.number) < least
    ):
        return None
    parts = ", ".join(
        f"{value_words(one.number / total.number, 'share')} {words}"
        for one, words in ((slab, "unreclaimable slab"), (percpu, "per-CPU memory"))
    )
    text = f"{part_of(slab.number + percpu.number, total)} of memory is memory of the kernel: {parts}"
    text += "; cgroups that were removed and are still held (dying) can take both"
    places = (slab.place, percpu.place)
    ratio = ratio_of(slab.number + percpu.number, least)
    return Statement(
        "memory",
        text,
        places,
        "alarm",
        capture=CGROUPS,
        gist=text,
        asks=CGROUPS_ASKS,
        ratio=ratio,
        subject="memory of the kernel",
    )


def part_of(part: float, whole: FactEntry) -> str:
    """Return `45.9 of 64 GiB (71.7 %)`."""
    factor, unit = (GIB, "GiB") if whole.number >= GIB else (1024.0**2, "MiB")
    share = value_words(part / whole.number, "share")
    return f"{value_words(part / factor)} of {value_words(whole.number / factor)} {unit} ({share})"
