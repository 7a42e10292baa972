"""Network drops against their base, by rules (`network-drops.yaml`), and what is said where there are few.

1.4 % of connections met a full accept queue (189,088 of 13,506,285)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview import calm
from signatures.overview.model import Covers, Figure, Statement
from signatures.overview.rules.panel import by_rules
from signatures.overview.rules.rule import panel_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.scope_evidence import ScopeEvidence

PANEL = "network-drops"
ASKS = "whether packets are dropped now"
MANY_COUNT, MANY_SHARE = 100_000.0, 0.001
"""So many drops at this share of all are not called calm, whatever the threshold of their kind."""


def _below(evidence: ScopeEvidence, figures: list[Figure]) -> Iterator[Statement]:
    """Yield that no share is above its threshold, with the largest; many drops are stated without calm."""
    shares = [one for one in figures if one.unit == "share" and isinstance(one.value, float)]
    most = max(shares, key=lambda one: float(one.value), default=None)
    if most is None:
        return
    text = f"{most.words} of {most.label}" + (f": {most.note} since boot" if most.note else "")
    if float(most.value) >= MANY_SHARE and _count_of(most) >= MANY_COUNT:
        yield Statement(
            "network",
            text,
            most.places,
            "fact",
            "since boot",
            panel_of(PANEL).capture,
            asks=ASKS,
            subject=most.label,
        )
        return
    covers = Covers("network", tuple(where for one in figures for where in one.places))
    words = f"No share of drops is above its threshold; the largest, {text}"
    seen = f"The largest share of drops that was read: {text}"
    yield calm.statement(
        evidence, covers, words, seen, places=most.places, is_summary=True, subject=f"no {most.label}"
    )


def _count_of(share: Figure) -> float:
    """Return how many were dropped, of a note such as `890,437 of 143,052,942`."""
    words = share.note.partition(" ")[0].replace(",", "")
    return float(words) if words.isdecimal() else 0.0


network_drops = by_rules(PANEL, closing=_below)
