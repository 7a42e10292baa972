"""Slab that holds more free space than it should: slabs that are partly used, by the totals of slabtop.

1.5 of 3.1 GiB of slab is free space in partly used slabs (51.6 % in use)

A slab goes back to the page allocator only when its last object is freed, so that few objects may hold much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

GIB = 1024.0**3
LEAST_BYTES = GIB
LEAST_OF_MEMORY = 0.01
"""Free space that is less of the machine's memory is no matter, whatever its share of the slab."""

USED_SHARE = 0.6
"""Caches in use have 80 to 100 %; after many objects were freed less, until new ones take their space."""

CAPTURE = "for i in 1 2; do cat /proc/meminfo /proc/cgroups; slabtop -o; sleep 60; done"
ASKS = "whether slab shrinks, how much is reclaimable (SReclaimable, SUnreclaim), and how many cgroups exist"


def slab_use(evidence: ScopeEvidence, total: FactEntry | None) -> Answer:
    """Return how much of the slab the last reading shows in use; notable where much of much is free.

    Args:
        evidence: Where the totals are.
        total: Memory of the machine.
    """
    used = next(reversed(evidence.facts("slab.active_bytes")), None)
    whole = next((one for one in evidence.facts("slab.total_bytes") if used and _is_beside(one, used)), None)
    if used is None or whole is None or not whole.number:
        return Answer("")
    share = used.number / whole.number
    free = whole.number - used.number
    is_small = whole.number < LEAST_BYTES or (total is not None and free < LEAST_OF_MEMORY * total.number)
    is_notable = share <= USED_SHARE and not is_small
    figure = Figure("slab in use", round(share, 4), "share", (used.place,), is_notable)
    if not is_notable:
        return Answer("", (figure,))
    of_all = f"{_gib(free)} of {_gib(whole.number)} GiB of slab"
    text = f"{of_all} is free space in partly used slabs ({value_words(share, 'share')} in use)"
    statement = Statement(
        "memory", text, (used.place,), "fact", "notable", CAPTURE, is_notable=True, asks=ASKS, topic="slab"
    )
    return Answer("", (figure,), (), (statement,))


def _is_beside(one: FactEntry, other: FactEntry) -> bool:
    return one.item is other.item and one.fact.snapshot == other.fact.snapshot


def _gib(size: float) -> str:
    return value_words(round(size / GIB, 1))
