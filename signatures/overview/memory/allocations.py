"""Slab allocations by caller, as `perf kmem` traced them, and how much of them is waste.

Most bytes of the slab allocator went to getname_flags.part.0: 6.2 MB in 1,520 allocations
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.model import Answer, Figure, Statement, shortened

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence

SHOWN = 8
WASTED_SHARE = 0.2
CAPTURE = "perf kmem record -- sleep 5; perf kmem --caller stat -l 20"


def allocations(evidence: ScopeEvidence) -> Answer:
    """Return the callers with most bytes; a high share of bytes that nobody asked for is notable."""
    callers = sorted(evidence.facts("kmem.caller.allocated_bytes"), key=lambda one: -one.number)
    counts = {one.label("function"): one.number for one in evidence.facts("kmem.caller.allocations")}
    wasted = evidence.figure("kmem.wasted_share", "allocated but not asked for", above=WASTED_SHARE)
    figures = [wasted] if wasted else []
    for one in callers:
        note = f"{counts.get(one.label('function'), 0):,.0f} allocations"
        figures.append(Figure(one.label("function"), one.number, "bytes", (one.place,), note=note))
    if not figures:
        return Answer("No trace of slab allocations.", lacks=(CAPTURE,))
    if not callers:
        return Answer("The trace names no callers.", tuple(figures), (CAPTURE,))
    first = callers[0]
    name, count = first.label("function"), counts.get(first.label("function"), 0)
    size = quantity_words(first.number, "bytes")
    text = f"Most bytes of the slab allocator went to {name}: {size} in {count:,.0f} allocations"
    said = (Statement("memory", text, (first.place,), "fact", "context", CAPTURE),)
    return Answer(f"{text}.", shortened(figures, SHOWN), (), said)
