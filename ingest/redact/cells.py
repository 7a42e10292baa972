"""Cells of tables that hold names."""

from __future__ import annotations

from typing import NamedTuple


class Cell(NamedTuple):
    """A token in the place of a name in a table: start, end (exclusive) and kind.

    Attributes:
        is_certain: Whether it is one; a word of the vocabulary may be none.
    """

    start: int
    end: int
    kind: str
    is_certain: bool = True
