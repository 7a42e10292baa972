"""The share of block requests that take half a second or more, by a histogram."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview import calm
from signatures.overview.model import Covers, Figure, Statement, place
from signatures.overview.waiting.off_cpu import SECONDS

if TYPE_CHECKING:
    from ingest.model.histogram import Histogram
    from signatures.judging.scope import Item
    from signatures.overview.scope_evidence import ScopeEvidence

SLOW_SECONDS = 0.5
SLOW_SHARE = 0.01
"""One request of a hundred that takes half a second or more."""


def slow_share(evidence: ScopeEvidence, histogram: Histogram, item: Item) -> tuple[Figure, Statement]:
    """Return the share of requests of half a second and more, and the 99th percentile."""
    factor, total = SECONDS[histogram.unit], sum(histogram.counts)
    slow = sum(
        count
        for low, count in zip(histogram.lows, histogram.counts, strict=True)
        if low * factor >= SLOW_SECONDS
    )
    running, limit = 0.0, histogram.highs[-1]
    for high, count in zip(histogram.highs, histogram.counts, strict=True):
        running += count
        if running >= 0.99 * total:
            limit = high
            break
    where = (place(item, histogram.lines.first, histogram.lines.last),)
    name = f"{histogram.name} {histogram.key}".strip()
    is_slow = slow / total >= SLOW_SHARE
    percentile = value_words(limit * factor, "seconds")
    figure = Figure(f"{name}: requests of 0.5 s or more", round(slow / total, 4), "share", where, is_slow)
    text = f"99 % of {total:,.0f} block requests take less than {percentile} ({name})"
    subject = f"requests of {name}"
    if not is_slow:
        return figure, calm.statement(evidence, Covers("io", where), text, text, subject=subject)
    text = f"{value_words(slow / total, 'share')} of {total:,.0f} block requests take 0.5 s or more ({name})"
    return figure, Statement("io", text, where, topic="slow IO", subject=subject)
