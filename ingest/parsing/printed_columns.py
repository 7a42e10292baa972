"""Columns of printed rows, of numbers and of texts, taken many rows at a time.

Example:
    PrintedColumns([1.0, None]) takes [["1", "S"], ["2", "R"]]  ->  Numbers([1.0, 2.0]) and Words(["S", "R"])

A `-` is a cell that is none; what is no number in a column of numbers stays a text.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from ingest.model.row_columns import NO_WORD, Numbers, Words, column_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.row_columns import Cell, Column

AT_ONCE = 4096
"""So many rows are turned into columns together."""

EMPTY = "-"


class _Ids(dict[str, int]):
    """The words of a column by the order in which they came; `-` is none of them."""

    def __init__(self) -> None:
        super().__init__({EMPTY: NO_WORD})

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self) - 1
        return number


class PrintedColumns:
    """The columns so far."""

    def __init__(self, divisors: Sequence[float | None]) -> None:
        """Begin columns.

        Args:
            divisors: What the numbers of each column are divided by, None for a column of texts.
        """
        self._divisors = divisors
        self._known = [_Ids() for _ in divisors]
        self._ids = [array("i") for _ in divisors]
        self._numbers = [array("d") for _ in divisors]
        self._mixed: list[list[Cell]] = [[] for _ in divisors]

    def take(self, rows: Sequence[Sequence[str]]) -> None:
        """Take rows that have a cell for each column."""
        for at, cells in enumerate(zip(*rows, strict=True)):
            divisor = self._divisors[at]
            if divisor is None:
                self._ids[at].extend(map(self._known[at].__getitem__, cells))
            elif self._mixed[at] or not self._take_numbers(at, cells, divisor):
                self._mixed[at].extend(_cell(cell, divisor) for cell in cells)

    def _take_numbers(self, at: int, cells: Sequence[str], divisor: float) -> bool:
        """Take cells that all are numbers; make the column one of several kinds when they are not."""
        try:
            values = np.array(list(map(float, cells)))
        except ValueError:
            values = np.array([np.nan])
        if np.isnan(values).any():
            self._mixed[at].extend(self._numbers[at])
            return False
        self._numbers[at].frombytes((values / divisor).tobytes())
        return True

    def columns(self) -> tuple[Column, ...]:
        """Return the columns."""
        return tuple(map(self._column, range(len(self._divisors))))

    def _column(self, at: int) -> Column:
        if self._mixed[at]:
            return column_of(self._mixed[at])
        if self._divisors[at] is not None:
            return Numbers(self._numbers[at])
        return Words(self._ids[at], tuple(self._known[at])[1:])


def _cell(printed: str, divisor: float) -> Cell:
    if printed == EMPTY:
        return None
    try:
        number = float(printed)
    except ValueError:
        return printed
    return number / divisor
