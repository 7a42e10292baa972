"""The evidence of one host and phase, as the analyses ask for it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from signatures.overview.model import Figure, Place, place
from signatures.overview.stacks import Stacks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.model.facts import Fact
    from ingest.model.reading import Cell, LogRecord
    from signatures.judging.scope import Item, Scope

MIN_SAMPLES = 50
"""Below this a share of a profile is a guess."""


class Told(NamedTuple):
    """A fact and the item that holds it."""

    fact: Fact
    item: Item

    @property
    def number(self) -> float:
        """The value as a number, 0 for words."""
        return float(self.fact.value) if isinstance(self.fact.value, float | bool) else 0.0

    @property
    def place(self) -> Place:
        """Where it stands."""
        return place(self.item, self.fact.lines.first, self.fact.lines.last)

    def label(self, *names: str) -> str:
        """Return the first of the named labels that the fact has, else its place."""
        return next((self.fact.labels[name] for name in names if name in self.fact.labels), "")


class Row(NamedTuple):
    """One row of a row set."""

    cells: Mapping[str, Cell]
    item: Item
    line: int

    def number(self, name: str) -> float | None:
        """Return a cell that is a number, None for anything else."""
        cell = self.cells.get(name)
        return float(cell) if isinstance(cell, int | float) else None

    @property
    def place(self) -> Place:
        """Where it stands."""
        return place(self.item, self.line)


class Gathered:
    """Facts, rows, records and profiles of one scope."""

    def __init__(self, scope: Scope) -> None:
        """Hold the items."""
        self.items = scope.items

    @cached_property
    def _by_name(self) -> dict[str, list[Told]]:
        found: dict[str, list[Told]] = {}
        for item in self.items:
            for fact in item.reading.facts:
                found.setdefault(fact.name, []).append(Told(fact, item))
        return found

    def facts(self, name: str) -> list[Told]:
        """Return every fact of a name."""
        return self._by_name.get(name, [])

    def names(self, prefix: str) -> list[str]:
        """Return the names that begin with `prefix`."""
        return [name for name in self._by_name if name.startswith(prefix)]

    def highest(self, name: str) -> Told | None:
        """Return the fact with the greatest number, None when there is none."""
        return max(self.facts(name), key=lambda told: told.number, default=None)

    def growth(self, name: str) -> tuple[float, Told, Told] | None:
        """Return how much a counter grew between its first and last look, None when it cannot be told.

        A counter that fell was reset in between: the growth is not known.
        """
        looks = [told for told in self.facts(name) if not told.fact.labels]
        if name.startswith("vmstat."):
            looks.sort(key=lambda told: self._page_faults.get((id(told.item), told.fact.snapshot), 0.0))
        if len(looks) < 2:
            return None
        first, last = looks[0], looks[-1]
        grown = last.number - first.number
        return (grown, first, last) if grown >= 0 else None

    @cached_property
    def _page_faults(self) -> dict[tuple[int, int], float]:
        """Page faults since boot by item and look: they only grow, so they tell which look came first."""
        return {(id(told.item), told.fact.snapshot): told.number for told in self.facts("vmstat.pgfault")}

    @cached_property
    def profiles(self) -> list[Stacks]:
        """Return the profiles of CPU time that have shares and enough samples."""
        found = [
            Stacks(profile, item)
            for item in self.items
            for profile in item.reading.profiles
            if profile.what == "cpu" and profile.has_weights and profile.samples >= MIN_SAMPLES
        ]
        return sorted(found, key=lambda stacks: -stacks.profile.samples)

    @cached_property
    def main(self) -> Stacks | None:
        """Return the CPU profile with most samples."""
        return self.profiles[0] if self.profiles else None

    def rows(self, name: str) -> Iterator[Row]:
        """Yield the rows of every set of a name."""
        for item in self.items:
            for rows in item.reading.row_sets:
                if rows.name == name:
                    for cells, line in zip(rows.rows, rows.row_lines, strict=True):
                        yield Row(dict(zip(rows.columns, cells, strict=True)), item, line)

    def records(self) -> Iterator[tuple[LogRecord, Item]]:
        """Yield every record of every kernel log, in the order of the logs."""
        for item in self.items:
            yield from ((record, item) for record in item.reading.log_records)

    def figure(self, name: str, label: str, *, above: float | None = None, note: str = "") -> Figure | None:
        """Return the highest fact of a name as a figure, notable when it is `above`."""
        told = self.highest(name)
        if told is None:
            return None
        is_notable = above is not None and told.number > above
        return Figure(
            label, told.number, told.fact.unit, (told.place,), is_notable, note if is_notable else ""
        )
