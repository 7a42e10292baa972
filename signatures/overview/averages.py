"""The words for an average since boot, which is no look at now.

One report of iostat without the line above its first may be of an interval as well: nobody can tell.

    behind(entry)  ->  ", on average since boot"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

FIRST_LINE = "kernel.release"
"""A fact of the line that sysstat prints above its first report."""

BANNERED = "iostat"
"""The tool whose later reports look like its first: others print a row, or a time."""


def only_averages(evidence: ScopeEvidence, names: Iterable[str]) -> FactEntry | None:
    """Return a fact of these names where all of them are averages since boot, else None."""
    found = [entry for name in names for entry in evidence.facts(name)]
    return found[0] if found and all(entry.is_since_boot for entry in found) else None


def is_perhaps(entry: FactEntry) -> bool:
    """Return whether a lone report may be of an interval, and not the first."""
    return entry.item.format == BANNERED and all(fact.name != FIRST_LINE for fact in entry.item.reading.facts)


def note(entry: FactEntry) -> str:
    """Return why it does not answer a question: `average since boot`."""
    return f"{'perhaps an ' if is_perhaps(entry) else ''}average since boot"


def behind(entry: FactEntry) -> str:
    """Return `, on average since boot` for the end of a sentence; "" for a look at now."""
    if not entry.is_since_boot:
        return ""
    return f", {'perhaps ' if is_perhaps(entry) else ''}on average since boot"


def before(entry: FactEntry) -> str:
    """Return the beginning of a sentence about an average since boot that nothing newer stands beside."""
    if is_perhaps(entry):
        return "In one report, which may be the average since boot, "
    return "On average since boot, which does not show the present, "
