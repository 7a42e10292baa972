"""The words for averages: one since boot is no look at now, and one of several looks is no count.

One report of iostat without the line above its first may be of an interval as well: nobody can tell.

    behind(entry)  ->  ", on average since boot"
    count_of(evidence, entry)  ->  ("0 to 40", " (16.7 on average)")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.series.model import series_of
from signatures.language.number_format import value_words
from signatures.overview import worst

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ingest.engines.series.model import Series
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


class Count(NamedTuple):
    """A count in words: `0 to 40`, and what follows the sentence: ` (16.7 on average)`."""

    words: str
    mean: str


def count_of(evidence: ScopeEvidence, entry: FactEntry, above: float | None = None) -> Count:
    """Return a count in words; of one that is the mean of several looks never that mean.

    It is the highest of the worst window above `above`, with the time of it and the mean behind; else the
    range of the looks. These are the rows of the fact; a mean without them has no range.
    """
    is_on = evidence.engines.series == "on"
    found = worst.of_entry(entry, above) if above is not None and is_on else None
    if found is not None and not found.is_whole:
        return Count(worst.height(found), f" {worst.when(found)} ({worst.mean_of(found)})")
    looks = [value for series in _series(entry) for value in series.values.tolist()]
    low, high = min(looks, default=entry.number), max(looks, default=entry.number)
    mean = value_words(entry.number)
    if low < high:
        return Count(f"{value_words(low)} to {value_words(high)}", f" ({mean} on average)")
    return Count(mean, " on average" if entry.number % 1 else "")


def _series(entry: FactEntry) -> list[Series]:
    """Return the looks of a fact of the whole machine."""
    if entry.fact.labels:
        return []
    return [one for one in series_of(entry.item.reading, entry.fact.name) if not one.labels]
