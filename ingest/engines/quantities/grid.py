"""A grid: rows of named, typed cells of one text, whatever form they were printed in."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ingest.model.reading import RowSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.row_columns import Cell

Key: TypeAlias = "tuple[str, str]"

SUBJECT, TIME = "name", "time_text"
"""Columns of what a row is about, and of its time."""

TABLE, LINES, VALUES = "table", "status_lines", "key_values"
"""Names of the row sets: rows below a head, repeated lines, key and value."""

UNITS = ("bytes_per_second", "per_second", "bytes", "seconds", "share", "celsius", "watts", "mhz")
"""Units that end the name of a column."""

OF, SHARE = " (limit)", " (share)"
"""What follows the name of a quantity in that of its whole, and of its share of it."""


class Grid(NamedTuple):
    """R rows of C named columns.

    Attributes:
        form: `table`, `status_lines` or `key_values`.
        columns: C names as printed, each with its unit.
        rows: R tuples of C cells.
        lines: R line numbers.
        about: Words above or in front of the rows: the title, the constant words of a line.
    """

    form: str
    columns: tuple[Key, ...]
    rows: Sequence[tuple[Cell, ...]]
    lines: Sequence[int]
    about: str = ""


def column_name(name: str, unit: str) -> str:
    """Return the name of a column of rows: the printed name, and the unit last."""
    return f"{name}_{unit}" if unit else name


def split_name(column: str) -> Key:
    """Return the printed name and the unit of a column of rows."""
    unit = next((one for one in UNITS if column.endswith(f"_{one}")), "")
    return (column[: -len(unit) - 1] if unit else column), unit


def row_set(grid: Grid) -> RowSet:
    """Return the rows of a grid as event rows."""
    names: dict[str, int] = {}
    columns = []
    for key in grid.columns:
        name = column_name(*key)
        names[name] = names.get(name, 0) + 1
        columns.append(name if names[name] == 1 else column_name(f"{key[0]} {names[name]}", key[1]))
    return RowSet.of_rows(
        f"{grid.form}:{grid.about}" if grid.about else grid.form, columns, grid.rows, array("i", grid.lines)
    )
