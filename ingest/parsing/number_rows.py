"""Rows of plain numbers, read many at a time.

Example:
    ends(["1 2 3", "4 5 6", "a b c"], 0, pattern(3))  ->  2
    NumberTable(3), which takes the first two         ->  [[1, 2, 3], [4, 5, 6]]

A loop over the words of 300,000 lines makes five million objects; here each row costs one look of a compiled
expression and each number eight bytes: the native core makes them.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ingest.model.row_columns import NO_WORD, Words
from ingest.native._core import NumberRows
from ingest.native.line_starts import LineRuns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

MOST_COLUMNS = 64
"""No tool prints more; rows of a wider table are no numbers that are read together."""

AT_ONCE = 8192
"""Rows that are read together."""

NUMBER = r"[0-9]{1,15}(?:[.,][0-9]{1,6})?"
"""With a decimal point or comma."""

NO_TEXT, FIRST_WORD, LAST_WORD = 0, -1, -2
"""Where the text of a row stands; a positive number is the bar that it stands left of."""


def pattern(width: int, cell: str = NUMBER) -> str:
    """Return the expression of exactly `width` cells with blanks between and around them."""
    return rf"[ \t]*{cell}(?:[ \t]+{cell}){{{width - 1}}}[ \t]*"


@lru_cache(maxsize=256)
def _runs(expression: str) -> LineRuns:
    return LineRuns([f"{expression}$"])


def ends(lines: list[str], at: int, expression: str) -> int:
    """Return the index behind the lines that `expression` matches whole, from `at` on; `at` for none."""
    return _runs(expression).end(lines, at)


class NumberTable:
    """Rows of a fixed number of cells, turned into numbers as they come, with at most one text each.

    Attributes:
        lines: The line of each row.
    """

    def __init__(
        self,
        width: int,
        kept: Sequence[int] | None = None,
        factors: NDArray[np.float64] | None = None,
        text: int = NO_TEXT,
    ) -> None:
        """Begin a table of `width` columns.

        Args:
            width: Cells in each row.
            kept: Columns that are kept, K of them, ascending; None for all.
            factors: What numbers are multiplied with, by the character behind them and column, 256 × `width`.
            text: Where the text of a row stands.
        """
        columns = list(range(width) if kept is None else kept)
        self.lines = array("i")
        self._kept = len(columns)
        self._rows = NumberRows(width, columns, [] if factors is None else factors.ravel().tolist(), text)
        # Grow in place, where joined parts would be held twice.
        self._cells, self._texts = array("d"), array("i")

    def take(self, rows: list[str], lines: Iterable[int]) -> None:
        """Take rows that have exactly as many cells each.

        Raises:
            ValueError: A row has another number of cells.
        """
        for first in range(0, len(rows), AT_ONCE):
            cells, texts = self._rows.read(rows, first, AT_ONCE)
            self._cells.frombytes(cells)
            self._texts.frombytes(texts)
        self.lines.extend(lines)

    def take_odd(self, row: str, line: int, text: str | None = None) -> None:
        """Take the numbers of one row, and its text, which stands elsewhere; None where it has none."""
        cells, _ = self._rows.read([row], 0, 1, has_text=False)
        self._cells.frombytes(cells)
        self._texts.append(NO_WORD if text is None else self._rows.number_of(text))
        self.lines.append(line)

    def values(self) -> NDArray[np.float64]:
        """Return the numbers that are kept, R × K."""
        return np.frombuffer(self._cells, dtype=np.float64).reshape(len(self.lines), self._kept)

    def texts(self) -> Words:
        """Return the texts."""
        return Words(self._texts, tuple(self._rows.names()))
