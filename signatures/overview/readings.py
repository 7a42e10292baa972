"""Several readings of one value in one text: what it was first and last, how often read, over what time.

trend_of(evidence, entry).words  ->  "grew from 177.4 to 257.2 MiB in 4 readings, over at least 1 h 58 min"

A text is in the order of time. A reading that is printed twice is one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

STEADY_SHARE = 0.05
"""A value that changes by less is called steady."""

SAME_MACHINE_SHARE = 0.01
"""Memory of a machine differs by less between two boots."""

LEAST_PRINTED = 2
"""Values in common with which two prints are of one reading; one equal value may be chance."""

UPTIME = "host.uptime_seconds"
TOTAL = "meminfo.memtotal_bytes"
MIB = 1024.0**2
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0


class Trend(NamedTuple):
    """The first and last reading of a value, with what was between.

    Attributes:
        readings: All readings, the first and last included.
        seconds: From the first to the last; 0 where the text does not tell.
        is_least: It was at least that long.
    """

    first: FactEntry
    last: FactEntry
    readings: tuple[FactEntry, ...]
    seconds: float
    is_least: bool

    @property
    def change(self) -> float:
        """Difference of the last and the first reading."""
        return self.last.number - self.first.number

    @property
    def places(self) -> tuple[Place, ...]:
        """Lines of the last and the first reading."""
        return (self.last.place, self.first.place)

    @property
    def values(self) -> str:
        """What it did: `grew from 177.4 MiB to 257.2 MiB`."""
        numbers = [one.number for one in self.readings]
        low, high = min(numbers), max(numbers)
        unit = self.first.fact.unit
        if high - low <= STEADY_SHARE * high:
            return f"is steady at {_words(self.last.number, unit)}"
        ends = f"from {_words(self.first.number, unit)} to {_words(self.last.number, unit)}"
        if {low, high} != {self.first.number, self.last.number}:
            least, most = _words(low, unit), _words(high, unit)
            return f"went {ends}, between {least} and {most}"
        return f"{'grew' if self.change > 0 else 'fell'} {ends}"

    def extent(self, of: str = "") -> str:
        """Return how many readings (of a file), and over what time where it is known."""
        count = f"in {len(self.readings)} readings{f' of {of}' if of else ''}"
        least = "at least " if self.is_least else ""
        return f"{count}, over {least}{span_words(self.seconds)}" if self.seconds else count

    @property
    def words(self) -> str:
        """What it did, in how many readings, over what time."""
        return f"{self.values} {self.extent()}"


def trend_of(evidence: ScopeEvidence, entry: FactEntry) -> Trend | None:
    """Return the readings that `entry` is one of, in its text; None for one, or and for two machines."""
    readings = _fresh(_same(evidence, entry))
    if len(readings) < 2 or not _is_one_machine(evidence, entry):
        return None
    uptimes = sorted(
        (one.place.first_line, one.number) for one in evidence.facts(UPTIME) if _is_of_text(one, entry)
    )
    if any(after < before for (_, before), (_, after) in pairwise(uptimes)):
        return None
    seconds, is_least = _elapsed([one.place.first_line for one in readings], uptimes)
    return Trend(readings[0], readings[-1], tuple(readings), seconds, is_least)


def span_words(seconds: float) -> str:
    """Return a time in the two units that matter: `1 h 58 min`, `38 min`, `12 s`."""
    for unit, name, part, part_name in ((DAY, "d", HOUR, "h"), (HOUR, "h", MINUTE, "min")):
        if seconds >= unit:
            rest = int(seconds % unit // part)
            return f"{int(seconds // unit)} {name}{f' {rest} {part_name}' if rest else ''}"
    return f"{seconds / MINUTE:.0f} min" if seconds >= MINUTE else f"{seconds:.0f} s"


def _words(value: float, unit: str) -> str:
    """Return a value in words, also a size that is far below a MiB."""
    is_small = unit == "bytes" and value < MIB
    return f"{value / 1024.0:,.0f} KiB" if is_small else value_words(value, unit)


def _is_of_text(one: FactEntry, other: FactEntry) -> bool:
    return one.item.evidence == other.item.evidence


def _same(evidence: ScopeEvidence, entry: FactEntry) -> list[FactEntry]:
    found = [
        one
        for one in evidence.facts(entry.fact.name)
        if _is_of_text(one, entry) and one.fact.labels == entry.fact.labels
    ]
    return sorted(found, key=lambda one: one.place.first_line)


def _fresh(entries: Iterable[FactEntry]) -> list[FactEntry]:
    """Leave out prints of a reading that the text has already: all their values are the same."""
    kept: list[FactEntry] = []
    printed: list[dict[str, float]] = []
    for entry in entries:
        values = _printed_with(entry)
        if not any(_is_same_reading(values, other) for other in printed):
            kept.append(entry)
            printed.append(values)
    return kept


def _printed_with(entry: FactEntry) -> dict[str, float]:
    """Return the values of the same output."""
    return {
        f"{fact.name} {sorted(fact.labels.items())}": fact.value
        for fact in entry.item.reading.facts
        if fact.snapshot == entry.fact.snapshot and isinstance(fact.value, float)
    }


def _is_same_reading(one: dict[str, float], other: dict[str, float]) -> bool:
    common = one.keys() & other.keys()
    return len(common) >= LEAST_PRINTED and all(one[name] == other[name] for name in common)


def _is_one_machine(evidence: ScopeEvidence, entry: FactEntry) -> bool:
    totals = [one.number for one in evidence.facts(TOTAL) if _is_of_text(one, entry)]
    return not totals or max(totals) - min(totals) <= SAME_MACHINE_SHARE * max(totals)


def _elapsed(lines: list[int], uptimes: list[tuple[int, float]]) -> tuple[float, bool]:
    """Return the time from the first to the last reading, and whether it is the least that it can be.

    An uptime beside a reading, always before or always after it, is of its moment. Others bound the time.
    """
    first, last = lines[0], lines[-1]
    before = [
        next((up for line, up in reversed(uptimes) if start < line < end), None)
        for start, end in ((0, first), (lines[-2], last))
    ]
    after = [
        next((up for line, up in uptimes if start < line < end), None)
        for start, end in ((first, lines[1]), (last, float("inf")))
    ]
    for begin, end in (before, after):
        if begin is not None and end is not None:
            return end - begin, False
    between = [up for line, up in uptimes if first < line < last]
    return (max(between) - min(between), True) if between else (0.0, False)
