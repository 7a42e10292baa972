"""The evidence of one host and phase, indexed for the analyses."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.catalogue.log_classes import UNCLASSIFIED
from ingest.model.row_columns import Numbers, Words, words
from signatures.engines import ALL_ON
from signatures.judging.since_boot import is_since_boot
from signatures.overview.model import Figure, Place, place
from signatures.overview.stacks import Stacks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ingest.model.facts import Fact
    from ingest.model.reading import Cell, LogRecord, RowSet
    from signatures.engines import Engines
    from signatures.judging.scope import Item, Scope
    from signatures.overview.model import Statement

MIN_SAMPLES = 50
"""Minimum samples of a profile for shares."""


class FactEntry(NamedTuple):
    """A fact with the item it was read from."""

    fact: Fact
    item: Item

    @property
    def number(self) -> float:
        """The value as a number, 0 for words."""
        return float(self.fact.value) if isinstance(self.fact.value, float | bool) else 0.0

    @property
    def place(self) -> Place:
        """Lines of the evidence."""
        return place(self.item, self.fact.lines.first, self.fact.lines.last)

    @property
    def is_since_boot(self) -> bool:
        """Whether it is an average since boot."""
        return is_since_boot(self.fact.name, self.item.reading)

    def label(self, *names: str) -> str:
        """Return the first of the named labels that the fact has, else ""."""
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
        """Lines of the evidence."""
        return place(self.item, self.line)


class Table(NamedTuple):
    """A row set with the item it was read from: long ones are read by column."""

    rows: RowSet
    item: Item

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return a column as R floats; NaN where a cell is none, or no number."""
        column = self.rows.column(name)
        if isinstance(column, Numbers):
            return column.array
        if column is None:
            return np.full(len(self.rows), np.nan)
        return np.array([float(one) if isinstance(one, int | float) else np.nan for one in column])

    def first_of(self, *names: str) -> Callable[[int], Cell]:
        """Return what returns the first cell of a row that is neither none, empty nor 0; None without one."""
        columns = [one for one in map(self.rows.column, names) if one is not None]

        def first(at: int) -> Cell:
            for one in columns:
                if cell := one[at]:
                    return cell
            return None

        return first

    def words(self, *names: str) -> Words:
        """Return the texts of the first of the columns that has any in a row, as a column."""
        columns = [one for one in map(self.rows.column, names) if one is not None]
        if len(columns) == 1 and isinstance(columns[0], Words):
            return columns[0]
        cell_of = self.first_of(*names)
        return words(str(cell_of(at) or "") for at in range(len(self.rows)))

    def are(self, name: str, fits: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Return which of R cells are texts that fit; each text is looked at once."""
        column = self.rows.column(name)
        if not isinstance(column, Words):
            column = words(
                cell if isinstance(cell, str) else None for cell in column or [None] * len(self.rows)
            )
        return np.array([*map(fits, column.names), False])[column.array]

    def row(self, at: int) -> Row:
        """Return one row."""
        cells = dict(zip(self.rows.columns, self.rows.rows[at], strict=True))
        return Row(cells, self.item, self.rows.row_lines[at])

    def place(self, first: int, last: int) -> Place:
        """Return the lines of rows `first` to `last`."""
        return place(self.item, self.rows.row_lines[first], self.rows.row_lines[last])


def sections_of(entries: Iterable[FactEntry | Row]) -> tuple[Place, ...]:
    """Return all lines of the sections that facts or rows were read from, each section once."""
    items = {id(one.item): one.item for one in entries}.values()
    return tuple(place(item, item.first_line, item.last_line) for item in items)


class Stated:
    """The statements of the analyses so far, by the evidence that they cite."""

    def __init__(self) -> None:
        """Begin without any."""
        self._by_evidence: dict[str, list[Statement]] = {}

    def __bool__(self) -> bool:
        """Whether anything is stated."""
        return bool(self._by_evidence)

    def add(self, statements: Iterable[Statement]) -> None:
        """Take the statements of an analysis."""
        for one in statements:
            for evidence in dict.fromkeys(where.evidence for where in one.places):
                self._by_evidence.setdefault(evidence, []).append(one)

    def of(self, items: Iterable[Item]) -> Iterator[Statement]:
        """Yield what cites the evidence of some items; what cites several pieces, once for each."""
        for evidence in dict.fromkeys(one.evidence for one in items):
            yield from self._by_evidence.get(evidence, ())


class ScopeEvidence:
    """Facts, rows, records and profiles of one scope."""

    def __init__(self, scope: Scope, engines: Engines = ALL_ON) -> None:
        """Take the items of `scope`, and the switches of what may be derived of them."""
        self.items = scope.items
        self.engines = engines
        self.memo: dict[object, object] = {}
        """What several analyses ask for, by the question."""
        self.stated = Stated()
        """What the analyses before this one state, also of other scopes."""

    @cached_property
    def _by_name(self) -> dict[str, list[FactEntry]]:
        found: dict[str, list[FactEntry]] = {}
        for item in self.items:
            for fact in item.reading.facts:
                found.setdefault(fact.name, []).append(FactEntry(fact, item))
        return found

    def cited_outputs(self) -> set[tuple[str, str]]:
        """Return evidence and format of every output of the scope that a statement cites."""
        formats = {(one.evidence, one.section): one.format for one in self.items}
        cited = ((one.evidence, one.section) for said in self.stated.of(self.items) for one in said.places)
        return {(where[0], formats[where]) for where in cited if where in formats}

    def facts(self, name: str) -> list[FactEntry]:
        """Return every fact of a name."""
        return self._by_name.get(name, [])

    def names(self, prefix: str) -> list[str]:
        """Return the names that begin with `prefix`."""
        return [name for name in self._by_name if name.startswith(prefix)]

    def highest(self, name: str) -> FactEntry | None:
        """Return the fact with the greatest value; None when there is none."""
        return max(self.facts(name), key=lambda entry: entry.number, default=None)

    def growth(self, name: str) -> tuple[float, FactEntry, FactEntry] | None:
        """Return the growth of a counter between its first and last snapshot, with both; else None.

        A counter that fell was reset in between: its growth is unknown.
        """
        snapshots = [entry for entry in self.facts(name) if not entry.fact.labels]
        if name.startswith("vmstat."):
            snapshots.sort(
                key=lambda entry: self._page_faults.get((id(entry.item), entry.fact.snapshot), 0.0)
            )
        if len(snapshots) < 2:
            return None
        first, last = snapshots[0], snapshots[-1]
        grown = last.number - first.number
        return (grown, first, last) if grown >= 0 else None

    @cached_property
    def _page_faults(self) -> dict[tuple[int, int], float]:
        """Page faults since boot by item and snapshot; monotonic, so they order the snapshots."""
        return {(id(entry.item), entry.fact.snapshot): entry.number for entry in self.facts("vmstat.pgfault")}

    @cached_property
    def profiles(self) -> list[Stacks]:
        """CPU profiles with weights and enough samples, largest first."""
        found = [
            Stacks(profile, item)
            for item in self.items
            for profile in item.reading.profiles
            if profile.what == "cpu" and profile.has_weights and profile.samples >= MIN_SAMPLES
        ]
        return sorted(found, key=lambda stacks: -stacks.profile.samples)

    @cached_property
    def waiting_profiles(self) -> list[Stacks]:
        """Profiles of off-CPU time with weights, in the order of the evidence."""
        return [
            Stacks(profile, item)
            for item in self.items
            for profile in item.reading.profiles
            if profile.what == "offcpu" and profile.has_weights and profile.weight
        ]

    @cached_property
    def cpus(self) -> float:
        """Number of CPUs that the evidence states, 0 when unknown."""
        found = self.highest("cpu.online") or self.highest("cpu.possible")
        return found.number if found else 0.0

    @cached_property
    def main(self) -> Stacks | None:
        """The CPU profile with the most samples; None without one."""
        return self.profiles[0] if self.profiles else None

    @cached_property
    def _tables(self) -> dict[str, list[Table]]:
        found: dict[str, list[Table]] = {}
        for item in self.items:
            for rows in item.reading.row_sets:
                if len(rows):
                    found.setdefault(rows.name, []).append(Table(rows, item))
        return found

    def tables(self, name: str) -> Sequence[Table]:
        """Return the row sets of a name that have rows."""
        return self._tables.get(name, ())

    def rows(self, name: str) -> Iterator[Row]:
        """Yield the rows of every set of a name."""
        for table in self.tables(name):
            columns = table.rows.columns
            for cells, line in zip(table.rows.rows, table.rows.row_lines, strict=True):
                yield Row(dict(zip(columns, cells, strict=True)), table.item, line)

    @cached_property
    def records(self) -> Sequence[tuple[LogRecord, Item]]:
        """Every record of every kernel log, in the order of the logs."""
        return [(record, item) for item in self.items for record in item.reading.log_records]

    @cached_property
    def classified(self) -> Sequence[tuple[LogRecord, Item]]:
        """The records of a class: few of a long log."""
        return [pair for pair in self.records if pair[0].kind != UNCLASSIFIED]

    def figure(self, name: str, label: str, *, above: float | None = None, note: str = "") -> Figure | None:
        """Return the highest fact of a name as a figure; notable above the threshold `above`."""
        entry = self.highest(name)
        if entry is None:
            return None
        is_notable = above is not None and entry.number > above
        return Figure(
            label, entry.number, entry.fact.unit, (entry.place,), is_notable, note if is_notable else ""
        )
