"""Rows of plain numbers, read many at a time.

Example:
    ends(["1 2 3", "4 5 6", "a b c"], 0, pattern(3))  ->  2
    NumberTable(3), which takes the first two         ->  [[1, 2, 3], [4, 5, 6]]

A loop over the words of 300,000 lines makes five million objects; here each row costs one look of a compiled
expression and each number eight bytes.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ingest.native.line_starts import LineRuns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

MOST_COLUMNS = 64
"""No tool prints more; rows of a wider table are no numbers that are read together."""

_AT_ONCE = 8192
"""Rows whose text is held twice."""

NUMBER = r"[0-9]{1,15}(?:[.,][0-9]{1,6})?"
"""With a decimal point or comma."""

UNIT_OF = np.zeros(256, dtype=np.uint8)
"""By character: the character itself where it is a unit behind a number, else 0."""

for _letter in b"BkKMGT%":
    UNIT_OF[_letter] = _letter
_BLANK = bytes.maketrans(b"BkKMGT%|:,", b"         .")
_SPACES = np.isin(np.arange(256), list(b" \t\n|:"))


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
    """Rows of a fixed number of cells, turned into numbers as they come.

    Attributes:
        lines: The line of each row.
    """

    def __init__(
        self, width: int, kept: Sequence[int] | None = None, factors: NDArray[np.float64] | None = None
    ) -> None:
        """Begin a table of `width` columns.

        Args:
            width: Cells in each row.
            kept: Columns that are kept, K of them; None for all.
            factors: What numbers are multiplied with, by the character behind them and column, 256 × `width`.
        """
        self._kept = list(range(width) if kept is None else kept)
        self.lines = array("i")
        self._width, self._factors = width, factors
        self._rows: list[str] = []
        # Grows in place, where joined parts would be held twice.
        self._cells = array("d")

    def take(self, rows: Sequence[str], lines: Iterable[int]) -> None:
        """Take rows that have exactly as many cells each."""
        self._rows.extend(rows)
        self.lines.extend(lines)
        while len(self._rows) > _AT_ONCE:
            self._cells.frombytes(self._matrix(self._rows[:_AT_ONCE]).tobytes())
            del self._rows[:_AT_ONCE]

    def values(self) -> NDArray[np.float64]:
        """Return the numbers that are kept, R × K.

        Raises:
            ValueError: A row has another number of cells.
        """
        if self._rows:
            self._cells.frombytes(self._matrix(self._rows).tobytes())
            self._rows = []
        return np.frombuffer(self._cells, dtype=np.float64).reshape(len(self.lines), len(self._kept))

    def _matrix(self, rows: Sequence[str]) -> NDArray[np.float64]:
        """Return the numbers that are kept of some rows."""
        text = "\n".join(rows).encode("ascii")
        plain = text.translate(_BLANK)
        values: NDArray[np.float64] = np.loadtxt(
            rows if plain == text else plain.decode("ascii").split("\n"),
            usecols=self._kept,
            ndmin=2,
            comments=None,
        )
        if self._factors is not None:
            characters = np.frombuffer(text + b"\n", dtype=np.uint8)
            is_blank = _SPACES[characters]
            behind = UNIT_OF[characters[:-1][~is_blank[:-1] & is_blank[1:]]].reshape(len(rows), self._width)
            values *= np.take_along_axis(self._factors, behind.astype(np.intp), axis=0)[:, self._kept]
        return values
