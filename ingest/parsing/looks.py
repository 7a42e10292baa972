"""Looks: rows of numbers that a tool prints again and again, held by column.

Example:
    vmstat prints `r` 21, 3 and 4 in lines 4 to 6: the fact is `sched.runnable` 9.333333 of lines 4 to 6, and
    the rows of the set `vmstat` have `runnable` 21, 3 and 4.
"""

from __future__ import annotations

from array import array
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.engines.series.model import looks_column
from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import RowSet
from ingest.model.row_columns import NO_WORD, Numbers, Words, column_of, numbers, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ingest.model.row_columns import Cell, Column
    from ingest.parsing.series import Quantity

DECIMALS = 6


class Block(NamedTuple):
    """Looks of one head.

    Attributes:
        lines: R line numbers, ascending.
        beside: Columns of R cells that are no quantity: the device, the time of the row.
        quantities: Q printed columns.
        values: R × Q as printed; NaN where a row has no such cell.
        label: The device of all of them, where each has a block of its own.
        places: Places of the quantities in the printed row; () for their order here.
    """

    lines: NDArray[np.int32]
    beside: Mapping[str, Sequence[Cell]]
    quantities: tuple[Quantity, ...]
    values: NDArray[np.float64]
    label: str = ""
    places: tuple[int, ...] = ()

    def chosen(self, which: NDArray[np.bool_]) -> Block:
        """Return some of the looks."""
        first = int(which.argmax()) if which.any() else which.size
        if which[first:].all():
            # Without the first ones, which is the usual choice, nothing is copied.
            beside = {name: cells[first:] for name, cells in self.beside.items()}
            return self._replace(lines=self.lines[first:], beside=beside, values=self.values[first:])
        places = np.flatnonzero(which).tolist()
        beside = {name: [cells[at] for at in places] for name, cells in self.beside.items()}
        return self._replace(lines=self.lines[which], beside=beside, values=self.values[which])


class _Found(NamedTuple):
    """What the looks of one name and label say so far, the order in which names first came before all."""

    order: tuple[int, int]
    quantity: Quantity
    label: str
    total: float
    looks: int
    last: int


def facts_of(blocks: Sequence[Block], label: str = "") -> list[Fact]:
    """Return the mean of every quantity, per value of the column `label`, in the order of first looks."""
    found: dict[tuple[str, str, str], _Found] = {}
    for block in blocks:
        names = _names(block.beside[label]) if label in block.beside else None
        groups: list[tuple[str, NDArray[np.intp]]] = []
        grouped = -1
        for at, quantity in enumerate(block.quantities):
            place = block.places[at] if block.places else at
            printed = np.flatnonzero(~np.isnan(block.values[:, at]))
            # Most columns have a number in every row, and then the rows of a label are the same.
            if not grouped == len(printed) == len(block.values):
                groups, grouped = list(_by_label(names, printed)), len(printed)
            for own, which in groups:
                values = block.values[which, at] * quantity.factor
                first, last = int(block.lines[which[0]]), int(block.lines[which[-1]])
                name = own or block.label
                before = found.get((quantity.fact, quantity.unit, name))
                order = min(before.order, (first, place)) if before else (first, place)
                total = float(np.cumsum(np.append(before.total if before else 0.0, values))[-1])
                count = len(which) + (before.looks if before else 0)
                last = max(last, before.last) if before else last
                found[quantity.fact, quantity.unit, name] = _Found(order, quantity, name, total, count, last)
    return [
        Fact(
            one.quantity.fact,
            round(one.total / one.looks, DECIMALS),
            Lines(one.order[0], one.last),
            one.quantity.unit,
            {label: one.label} if one.label else {},
        )
        for one in sorted(found.values(), key=itemgetter(0))
    ]


def _names(cells: Sequence[Cell]) -> Words:
    """Return the labels of rows as texts, "" for none."""
    if isinstance(cells, Words) and not (cells.array == NO_WORD).any():
        return cells
    return words(str(cell or "") for cell in cells)


def _by_label(names: Words | None, places: NDArray[np.intp]) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Yield each label with those of `places` that have it, in order."""
    if names is None:
        if places.size:
            yield "", places
        return
    ids = names.array[places]
    order = np.argsort(ids, kind="stable")
    edges = np.flatnonzero(np.diff(ids[order])) + 1
    for group in np.split(order, edges) if places.size else ():
        yield names.names[int(ids[group[0]])], places[group]


def row_sets_of(name: str, blocks: Sequence[Block], duration: float | None = None) -> tuple[RowSet, ...]:
    """Return the row set of looks, or nothing without a row; columns stand in the order they first come.

    The column of a quantity is that of its series.
    """
    filled = sorted((block for block in blocks if block.lines.size), key=lambda block: int(block.lines[0]))
    if not filled:
        return ()
    lines = np.concatenate([block.lines for block in filled])
    order = np.argsort(lines, kind="stable")
    is_sorted = bool((order == np.arange(order.size)).all())
    columns: dict[str, Column] = {}
    for column in dict.fromkeys(name for block in filled for name in block.beside):
        columns[column] = _beside(filled, column, None if is_sorted else order)
    for column in dict.fromkeys(looks_column(one.fact) for block in filled for one in block.quantities):
        values = np.concatenate([_scaled(block, column) for block in filled])
        columns[column] = numbers(values if is_sorted else values[order])
    row_lines = array("i", lines[order].astype(np.int32).tobytes())
    return (RowSet(name, tuple(columns), tuple(columns.values()), row_lines, duration),)


def _beside(blocks: Sequence[Block], column: str, order: NDArray[np.intp] | None) -> Column:
    """Return a column that is no quantity, of all blocks, in order."""
    found = [block.beside.get(column) for block in blocks]
    if all(isinstance(one, Numbers) for one in found):
        values = np.concatenate([one.array for one in found if isinstance(one, Numbers)])
        return numbers(values if order is None else values[order])
    known: dict[str | None, int] = {None: NO_WORD}
    ids: list[NDArray[np.int32]] = []
    for block, one in zip(blocks, found, strict=True):
        if not isinstance(one, Words | None):
            break
        texts = () if one is None else one.names
        place = np.array(
            [known.setdefault(text, len(known) - 1) for text in texts] + [NO_WORD], dtype=np.int32
        )
        ids.append(place[np.full(block.lines.size, NO_WORD) if one is None else one.array])
    else:
        joined = np.concatenate(ids)
        joined = joined if order is None else joined[order]
        return Words(array("i", joined.tobytes()), tuple(name for name in known if name is not None))
    cells: list[Cell] = []
    for block, one in zip(blocks, found, strict=True):
        cells += [None] * block.lines.size if one is None else one
    return column_of(cells if order is None else [cells[at] for at in order.tolist()])


def _scaled(block: Block, column: str) -> NDArray[np.float64]:
    """Return the values of a column in the unit of its quantity; of several of one name the last printed."""
    scaled = np.full(block.lines.size, np.nan)
    for place, quantity in enumerate(block.quantities):
        if looks_column(quantity.fact) == column:
            values = block.values[:, place] * quantity.factor
            scaled = np.where(np.isnan(values), scaled, values)
    is_whole = bool((np.isnan(scaled) | (scaled == np.trunc(scaled))).all())
    return scaled if is_whole else np.round(scaled, DECIMALS)
