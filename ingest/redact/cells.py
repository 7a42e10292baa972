"""Cells of tables that hold names."""

from __future__ import annotations

from typing import NamedTuple


class Cell(NamedTuple):
    """A name in a table: start, end (exclusive) and kind."""

    start: int
    end: int
    kind: str
