"""Where a load average goes: its minute beside its five minutes.

direction(evidence, entry)  ->  " (falling, 47.9 over 5 min)"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

FALLING, RISING = 0.75, 1.33
"""A minute below or above this multiple of the five minutes has a direction."""

LEAST_LOAD = 4.0


def direction(evidence: ScopeEvidence, minute: FactEntry) -> str:
    """Return whether the load rises or falls, with its five minutes; "" where it is steady or small."""
    same = (
        one.number
        for one in evidence.facts("loadavg.5m")
        if one.item is minute.item and one.fact.snapshot == minute.fact.snapshot
    )
    before = next(same, 0.0)
    if not before or max(before, minute.number) < LEAST_LOAD:
        return ""
    ratio = minute.number / before
    verb = "falling" if ratio <= FALLING else "rising" if ratio >= RISING else ""
    return f" ({verb}, {value_words(before)} over 5 min)" if verb else ""
