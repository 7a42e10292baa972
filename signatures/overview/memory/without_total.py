"""The largest owner of memory where the size of the machine is unknown; of slab both parts.

155.3 MiB of memory is reclaimable slab, 60.4 % of all slab; how much the machine has is not in the evidence
Slab grew from 177.4 MiB to 257.2 MiB in 4 readings: reclaimable slab grew from 95.54 MiB to 155.3 MiB, …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement
from signatures.overview.readings import trend_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SLAB = "meminfo.slab_bytes"
SLAB_PARTS = {
    "reclaimable slab": "meminfo.sreclaimable_bytes",
    "unreclaimable slab": "meminfo.sunreclaim_bytes",
}
UNKNOWN = "; how much the machine has is not in the evidence"


def largest_owner(evidence: ScopeEvidence, owners: Sequence[tuple[str, str]], capture: str) -> Answer:
    """Return the largest owner, or slab with its parts where several readings of both are there.

    Args:
        evidence: Where the fields are.
        owners: Facts of owners with their words.
        capture: The command that shows all owners.
    """
    sizes = [(entry, words) for fact, words in owners if (entry := evidence.highest(fact))]
    if not sizes:
        return Answer("")
    entry, words = max(sizes, key=lambda one: one[0].number)
    places: tuple[Place, ...] = (entry.place,)
    slab = evidence.highest(SLAB)
    share = value_words(entry.number / slab.number, "share") if slab and slab.number else ""
    if slab and words in SLAB_PARTS and (found := _trend_of_slab(evidence, slab)):
        text, places = found
    else:
        text = f"{value_words(entry.number, 'bytes')} of memory is {words}"
        text += f", {share} of all slab" if share and words in SLAB_PARTS else ""
        if trend := trend_of(evidence, entry):
            text += f"; it {trend.words}"
            places = tuple(dict.fromkeys((entry.place, *trend.places)))
    figure = Figure(words, entry.number, "bytes", (entry.place,))
    statement = Statement("memory", f"{text}{UNKNOWN}", places, "fact", "notable", capture)
    return Answer("", (figure,), (), (statement,))


def _trend_of_slab(evidence: ScopeEvidence, slab: FactEntry) -> tuple[str, tuple[Place, ...]] | None:
    """Return how all slab and its two parts went; None where not all of them have several readings."""
    whole = trend_of(evidence, slab)
    parts = [
        (words, trend)
        for words, fact in SLAB_PARTS.items()
        if (entry := evidence.highest(fact)) and (trend := trend_of(evidence, entry))
    ]
    if whole is None or len(parts) < len(SLAB_PARTS):
        return None
    each = ", ".join(f"{words} {trend.values}" for words, trend in parts)
    places = [place for trend in (whole, *(trend for _, trend in parts)) for place in trend.places]
    return f"Slab {whole.words}: {each}", tuple(places)
