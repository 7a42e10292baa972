"""Memory that no field of /proc/meminfo counts: a balloon, drivers, pages that the kernel itself allocated.

20.7 GiB (66.4 %) of memory is in no field of meminfo: a balloon, a driver or the kernel itself holds it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Figure, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

CAPTURE = (
    "systemd-detect-virt; lsmod; grep balloon /proc/vmstat; sort -k2 -n -r /proc/vmallocinfo | head -n 30; "
    "cat /proc/meminfo"
)
NOTABLE_SHARE = 0.3
ACCOUNTED = (
    "memfree",
    "buffers",
    "cached",
    "swapcached",
    "anonpages",
    "slab",
    "pagetables",
    "kernelstack",
    "percpu",
    "hugetlb",
)


def share_of(evidence: ScopeEvidence, total: FactEntry) -> Figure | None:
    """Return the share of memory in no field; None where meminfo lacks fields that hold most of it."""
    fields = [evidence.highest(f"meminfo.{name}_bytes") for name in ACCOUNTED]
    needed = ("memfree", "cached", "anonpages", "slab")
    if any(evidence.highest(f"meminfo.{name}_bytes") is None for name in needed):
        return None
    share = max(0.0, 1.0 - sum(one.number for one in fields if one) / total.number)
    return Figure("in no field of meminfo", round(share, 4), "share", (total.place,), share >= NOTABLE_SHARE)


def statements(missing: Figure, total: FactEntry) -> Iterator[Statement]:
    """Yield how much it is, where it is much."""
    if not missing.is_notable:
        return
    size = value_words(float(missing.value) * total.number, "bytes")
    text = f"{size} ({missing.words}) of memory is in no field of meminfo: a balloon, a driver or the kernel "
    text += "itself holds it"
    asks = "whether a balloon or a driver holds it"
    yield Statement(
        "memory",
        text,
        missing.places,
        "alarm",
        "saturation",
        CAPTURE,
        asks=asks,
        topic="unaccounted memory",
        subject="unaccounted memory",
    )
