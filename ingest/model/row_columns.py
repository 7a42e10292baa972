"""Columns of event rows: numbers as one array of 8 bytes each, words once with an id per row.

Example:
    column_of(["S", "R", "S"])  ->  Words(ids=[0, 1, 0], names=("S", "R"))
    column_of([1.0, None])      ->  Numbers(values=[1.0, NaN])

A column is a sequence of cells: floats, texts, and None where a row has no such cell.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

Cell: TypeAlias = "float | str | None"

NO_WORD = -1
"""The id of a cell that is none."""


class _Column(Sequence["Cell"]):
    """What all columns share: equal cells make equal columns."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Return whether `other` is a column of equal cells."""
        return isinstance(other, _Column) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # a column is long

    def __repr__(self) -> str:
        """Return the kind and the cells."""
        return f"{type(self).__name__}({list(self)!r})"


class Numbers(_Column):
    """Floats; a cell that is none is NaN in `values`.

    Attributes:
        values: R floats.
    """

    __slots__ = ("values",)

    def __init__(self, values: array[float]) -> None:
        """Take the floats."""
        self.values = values

    @property
    def array(self) -> NDArray[np.float64]:
        """A view of the floats, NaN where there is none."""
        return np.frombuffer(self.values, dtype=np.float64)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.values)

    @overload
    def __getitem__(self, at: int) -> float | None: ...
    @overload
    def __getitem__(self, at: slice) -> Numbers: ...
    def __getitem__(self, at: int | slice) -> float | Numbers | None:
        """Return a cell, or the column of a slice."""
        if isinstance(at, slice):
            return Numbers(self.values[at])
        value = self.values[at]
        return value if value == value else None  # noqa: PLR0124 - NaN is no number

    def __iter__(self) -> Iterator[float | None]:
        """Yield the cells."""
        if self.array.size and np.isnan(self.array).any():
            return iter([value if value == value else None for value in self.values])  # noqa: PLR0124 - NaN
        return iter(self.values)


class Words(_Column):
    """Texts that repeat.

    Attributes:
        ids: R places in `names`, `NO_WORD` for a cell that is none.
        names: Distinct texts in the order in which they first came.
    """

    __slots__ = ("ids", "names")

    def __init__(self, ids: array[int], names: Sequence[str]) -> None:
        """Take ids and texts."""
        self.ids, self.names = ids, names

    @property
    def array(self) -> NDArray[np.int32]:
        """A view of the ids."""
        return np.frombuffer(self.ids, dtype=np.int32)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.ids)

    @overload
    def __getitem__(self, at: int) -> str | None: ...
    @overload
    def __getitem__(self, at: slice) -> Words: ...
    def __getitem__(self, at: int | slice) -> str | Words | None:
        """Return a cell, or the column of a slice."""
        if isinstance(at, slice):
            return Words(self.ids[at], self.names)
        number = self.ids[at]
        return self.names[number] if number >= 0 else None

    def __iter__(self) -> Iterator[str | None]:
        """Yield the cells."""
        return map([*self.names, None].__getitem__, self.ids)


class Mixed(_Column):
    """Cells of several kinds, as they are."""

    __slots__ = ("cells",)

    def __init__(self, cells: Sequence[Cell]) -> None:
        """Take the cells."""
        self.cells = cells

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.cells)

    @overload
    def __getitem__(self, at: int) -> Cell: ...
    @overload
    def __getitem__(self, at: slice) -> Mixed: ...
    def __getitem__(self, at: int | slice) -> Cell | Mixed:
        """Return a cell, or the column of a slice."""
        return Mixed(self.cells[at]) if isinstance(at, slice) else self.cells[at]

    def __iter__(self) -> Iterator[Cell]:
        """Yield the cells."""
        return iter(self.cells)


Column: TypeAlias = "Numbers | Words | Mixed"


def column_of(cells: Iterable[Cell]) -> Column:
    """Return the column of cells in the smallest form that keeps every one of them."""
    found: Sequence[Any] = cells if isinstance(cells, list | tuple) else list(cells)
    kinds = set(map(type, found))
    if kinds == {float}:
        return _numbers(array("d", found), found)
    if kinds == {float, type(None)}:
        return _numbers(array("d", [np.nan if cell is None else cell for cell in found]), found)
    if kinds <= {str, type(None)} and str in kinds:
        return words(found)
    return Mixed(tuple(found))


def _numbers(values: array[float], cells: Sequence[Cell]) -> Numbers | Mixed:
    """Return the column; where a tool printed NaN itself, the cells as they are."""
    missing = int(np.isnan(np.frombuffer(values, dtype=np.float64)).sum())
    return Numbers(values) if not missing or missing == cells.count(None) else Mixed(tuple(cells))


def words(cells: Iterable[str | None]) -> Words:
    """Return the column of texts."""
    known: dict[str | None, int] = {None: NO_WORD}
    ids = array("i", [known.setdefault(cell, len(known) - 1) for cell in cells])
    return Words(ids, tuple(name for name in known if name is not None))


def numbers(values: NDArray[np.float64]) -> Numbers:
    """Return the column of an array; NaN is a cell that is none."""
    return Numbers(array("d", np.ascontiguousarray(values).tobytes()))
