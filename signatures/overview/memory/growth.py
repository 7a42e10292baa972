"""Memory that grew between readings of /proc/meminfo in one text.

Unreclaimable slab grew from 494 MiB to 5,038 MiB in 2 readings of /proc/meminfo
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement, ranked
from signatures.overview.readings import trend_of
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from signatures.overview.readings import Trend
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
CACHE_TIMES = 1.25
LEAST_CACHE_BYTES = 4 * 1024.0**2
"""Growth of a slab cache that is worth a sentence."""

MOST_CACHES, NAMED = 500, 3
CAPTURE = "slabtop -o; sleep 60; slabtop -o"


def label_of(words: str) -> str:
    """Return the label of the figure of growth."""
    return f"growth of {words}"


def grown(evidence: ScopeEvidence, total: FactEntry | None) -> Answer:
    """Return the field that grew most; of the kernel's own memory it is an alarm."""
    if total is None or not total.number:
        return Answer("")
    for fields, is_kernel in ((OF_THE_KERNEL, True), (OF_USE, False)):
        found = [
            (trend, words) for field, words in fields.items() if (trend := _growth(evidence, field, total))
        ]
        if not found:
            continue
        trend, words = max(found, key=lambda one: one[0].change)
        text = f"{capital(words)} {trend.values} {trend.extent('/proc/meminfo')}"
        kind, level = ranked(is_alarm=is_kernel)
        figure = Figure(label_of(words), trend.change, "bytes", trend.places, is_kernel)
        capture = CAPTURE if words.endswith("slab") else ""
        statement = Statement("memory", text, trend.places, kind, level, capture, subject=figure.label)
        return Answer("", (figure,), (), (statement,))
    return Answer("")


def grown_caches(evidence: ScopeEvidence, reclaimable: tuple[str, ...]) -> Answer:
    """Return the slab cache that grew most between readings of one text, of those that reclaim cannot shrink.

    Args:
        evidence: Where the caches are.
        reclaimable: Ends of the names of caches that reclaim shrinks.
    """
    first_of = {
        entry.label("cache"): entry
        for entry in evidence.facts("slab.size_bytes")
        if entry.label("cache") and not entry.label("cache").endswith(reclaimable)
    }
    grown = [
        (trend, name)
        for name, entry in list(first_of.items())[:MOST_CACHES]
        if (trend := trend_of(evidence, entry)) and _is_growth(trend)
    ]
    if not grown:
        return Answer("")
    grown.sort(key=lambda one: -one[0].change)
    trend, name = grown[0]
    text = f"The slab cache {name}, which reclaim cannot shrink, {trend.words}"
    others = [f"{other} by {_times(found)}" for found, other in grown[1:NAMED]]
    text += f"; {' and '.join(others)}" if others else ""
    figure = Figure(label_of(f"the slab cache {name}"), trend.change, "bytes", trend.places, is_notable=True)
    statement = Statement("memory", text, trend.places, "fact", "notable", CAPTURE, is_notable=True)
    return Answer("", (figure,), (), (statement,))


def _is_growth(trend: Trend) -> bool:
    """Return whether a cache grew by a quarter and by MiB."""
    return trend.change >= LEAST_CACHE_BYTES and trend.last.number >= CACHE_TIMES * trend.first.number


def _times(trend: Trend) -> str:
    return f"{value_words(trend.change / trend.first.number, 'share')}" if trend.first.number else "all of it"


def _growth(evidence: ScopeEvidence, field: str, total: FactEntry) -> Trend | None:
    """Return the readings of one text, whose order is that of time; None when they grew little."""
    entry = evidence.highest(f"meminfo.{field}_bytes")
    trend = trend_of(evidence, entry) if entry else None
    if trend is None:
        return None
    is_much = trend.change >= min(ENOUGH_BYTES, max(LEAST_BYTES, LEAST_SHARE * total.number))
    return trend if is_much and trend.last.number >= TIMES * trend.first.number else None
