"""Idle time of all CPUs together, as tools that sample it state it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview import averages
from signatures.overview.model import Statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

IDLE_TIME = "cpu.idle_share"


def whole_idle(evidence: ScopeEvidence) -> list[FactEntry]:
    """Return the idle time of all CPUs together."""
    return [entry for entry in evidence.facts(IDLE_TIME) if entry.label("cpu") in {"", "all"}]


def past_idle(evidence: ScopeEvidence, capture: str, asks: str) -> Iterator[Statement]:
    """Yield how idle all CPUs were since boot, the only value that is known of them.

    Args:
        evidence: Where the average is.
        capture: The command that shows the present.
        asks: What its output shows.
    """
    for entry in whole_idle(evidence)[:1]:
        text = f"{averages.before(entry)}CPUs are {value_words(entry.number, 'share')} idle"
        yield Statement(
            "cpu",
            text,
            (entry.place,),
            "fact",
            "context",
            capture,
            asks=asks,
            is_summary=True,
            ratio=1.0 - entry.number,
            subject="idle CPUs since boot",
        )
