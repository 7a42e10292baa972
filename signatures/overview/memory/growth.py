"""Memory that grew between two prints of /proc/meminfo in one text.

unreclaimable slab grew from 494 MiB to 4.92 GiB between two prints of /proc/meminfo
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement, ranked

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

TIMES = 2.0
LEAST_BYTES = 256 * 1024.0**2
LEAST_SHARE = 0.01
ENOUGH_BYTES = 1024.0**3
"""Growth by this much, or by a share of all memory, is worth a sentence."""

OF_THE_KERNEL = {
    "sunreclaim": "unreclaimable slab",
    "pagetables": "page tables",
    "kernelstack": "kernel stacks",
    "percpu": "per-CPU memory of the kernel",
    "vmallocused": "vmalloc",
}
"""Fields of memory that reclaim cannot free and that no process gives back on request."""

OF_USE = {
    "sreclaimable": "reclaimable slab",
    "shmem": "shared memory and tmpfs",
    "anonpages": "anonymous memory",
}
CAPTURE = "slabtop -o; sleep 60; slabtop -o"


def grown(evidence: ScopeEvidence, total: FactEntry | None) -> Answer:
    """Return the field that grew most; of the kernel's own memory it is an alarm."""
    if total is None or not total.number:
        return Answer("")
    for fields, is_kernel in ((OF_THE_KERNEL, True), (OF_USE, False)):
        found = [
            (growth, words) for field, words in fields.items() if (growth := _growth(evidence, field, total))
        ]
        if not found:
            continue
        (amount, first, last), words = max(found, key=lambda one: one[0][0])
        sizes = f"from {value_words(first.number, 'bytes')} to {value_words(last.number, 'bytes')}"
        text = f"{words[0].upper()}{words[1:]} grew {sizes} between two prints of /proc/meminfo"
        places = (last.place, first.place)
        kind, strength = ranked(is_alarm=is_kernel, alarm=0.68, fact=0.45)
        figure = Figure(f"growth of {words}", amount, "bytes", places, is_kernel)
        capture = CAPTURE if words.endswith("slab") else ""
        return Answer("", (figure,), (), (Statement("memory", text, places, kind, strength, capture),))
    return Answer("")


def _growth(
    evidence: ScopeEvidence, field: str, total: FactEntry
) -> tuple[float, FactEntry, FactEntry] | None:
    """Return the growth within one text, whose order is that of time; None when it is small."""
    found = evidence.growth(f"meminfo.{field}_bytes")
    if found is None or found[1].item.evidence != found[2].item.evidence:
        return None
    amount, first, last = found
    is_much = amount >= min(ENOUGH_BYTES, max(LEAST_BYTES, LEAST_SHARE * total.number))
    return found if is_much and last.number >= TIMES * first.number else None
