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


ON_LISTS = ("memfree", "active", "inactive", "unevictable")
"""What is free, and the pages of files and programs."""


def off_lists(evidence: ScopeEvidence, total: FactEntry) -> Iterator[Statement]:
    """Yield how much memory is on no list of pages, where the fields that would name it are not there."""
    fields = [evidence.highest(f"meminfo.{name}_bytes") for name in ON_LISTS]
    if evidence.highest("meminfo.slab_bytes") or any(one is None for one in fields[:3]):
        return
    share = 1.0 - sum(one.number for one in fields if one) / total.number
    if share >= NOTABLE_SHARE:
        yield Statement(
            "memory",
            f"{value_words(share * total.number, 'bytes')} ({value_words(share, 'share')}) of memory is "
            "neither free nor of files or programs (Active, Inactive, Unevictable): slab, huge pages, a "
            "driver or a file system's own cache holds it, whose fields are not in the evidence",
            (total.place, *(one.place for one in fields[1:3] if one)),
            "fact",
            "notable",
            "cat /proc/meminfo; slabtop -o; head -n 30 /proc/spl/kstat/zfs/arcstats",
            asks="which of them holds it",
            topic="unaccounted memory",
            subject="unaccounted memory",
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
