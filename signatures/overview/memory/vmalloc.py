"""Which function holds the most kernel virtual memory: `/proc/vmallocinfo`.

htab_map_alloc holds 31.2 % of 64.1 MiB of vmalloc memory, the most: 20 MiB in 9 areas

No document of the kernel says how much is normal, so it is context. `pages=` marks areas that hold memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SIZE, AREAS = "vmalloc.size_bytes", "vmalloc.areas"
SHOWN = int(thresholds_of("vmalloc")["shown"])


def vmalloc(evidence: ScopeEvidence) -> Answer:
    """Return the functions with the largest areas, and the share of the first."""
    sizes = _last(evidence, SIZE)
    if not sizes:
        return Answer("No areas of vmalloc.")
    ranked = sorted(sizes.values(), key=lambda one: -one.number)
    first, total = ranked[0], sum(one.number for one in ranked)
    function = first.label("function")
    areas = _last(evidence, AREAS).get(function)
    count = f" in {areas.number:,.0f} {'area' if areas.number == 1 else 'areas'}" if areas else ""
    is_part = not {"excerpt", "filtered"}.isdisjoint(first.item.reading.quality_names)
    listed = " of the listed areas" if is_part else ""
    words = (
        f"{function} holds {value_words(first.number / total, 'share')} of "
        f"{value_words(total, 'bytes')} of vmalloc memory{listed}, the most: "
        f"{value_words(first.number, 'bytes')}{count}"
    )
    figures = tuple(
        Figure(one.label("function"), one.number, "bytes", (one.place,)) for one in ranked[:SHOWN]
    )
    statement = Statement("memory", words, (first.place,), "fact", "context", subject=function)
    return Answer(f"{words}.", figures, (), (statement,), is_undecided=True)


def _last(evidence: ScopeEvidence, name: str) -> dict[str, FactEntry]:
    """Return the last entry of each function."""
    return {entry.label("function"): entry for entry in evidence.facts(name) if entry.number > 0}
