"""Time series: repeated measurements of a row set as lines, one per combination of labels.

Example:
    {"axis": "seconds", "origin": "14:35:25", "lines": [{"label": {"comm": "clickhouse-serv"},
     "time": [0, 1], "value": [30.0, 29.5], "line": [3, 4]}]}

The name of a column ends with its unit. A clock without a date continues past midnight; rows without a clock
keep their order.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.engines.series.clock import SCALES, TEXT, seconds_of
from ingest.export.columns import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell, RowSet

_LABELS = frozenset(
    {
        "pid",
        "tid",
        "tgid",
        "ppid",
        "uid",
        "cpu",
        "seq",
        "inode",
        "node",
        "burst",
        "line",
        "irq",
        "major",
        "minor",
    }
)
_UNITS = (
    ("_bytes_per_second", "bytes_per_second"),
    ("_per_second", "per_second"),
    ("_share", "share"),
    ("_bytes", "bytes"),
    ("_seconds", "s"),
    ("_ns", "ns"),
    ("_us", "us"),
    ("_ms", "ms"),
    ("_s", "s"),
    ("_ticks", "ticks"),
)


class Shape(NamedTuple):
    """What the columns of a row set are; `time` is "" where rows have no clock."""

    time: str
    labels: tuple[str, ...]
    values: tuple[str, ...]


def shape(name_columns: Sequence[str], first_rows: Sequence[Sequence[Cell]]) -> Shape:
    """Classify columns by their names and first values."""
    time = next((name for name in name_columns if name in SCALES or name == TEXT), "")
    labels, values = [], []
    for at, name in enumerate(name_columns):
        if name == time:
            continue
        cells = [row[at] for row in first_rows if row[at] is not None]
        is_number = bool(cells) and all(isinstance(cell, float | int) for cell in cells)
        if is_number and name not in _LABELS and not name.endswith(("_ino", "_id")):
            values.append(name)
        elif cells:
            labels.append(name)
    return Shape(time, tuple(labels), tuple(values))


def unit_of(column: str) -> str:
    """Return the unit at the end of a column's name; counts and what has no unit are ""."""
    return next((unit for suffix, unit in _UNITS if column.endswith(suffix)), "")


def lines(
    rows: RowSet, value: str, by: Sequence[str], *, limit: int
) -> tuple[str, str | None, list[dict[str, Any]], int]:
    """Return axis, where it begins, the heaviest lines by their mean, and how many were left out.

    Args:
        rows: What was measured.
        value: The column to draw.
        by: Label columns that identify a line.
        limit: At most so many lines.
    """
    row_shape = shape(rows.columns, rows.rows)
    at = rows.columns.index(value)
    of = [rows.columns.index(name) for name in by]
    times = _times(rows, row_shape.time)
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for place, row in enumerate(rows.rows):
        cell = row[at]
        if not isinstance(cell, float | int) or not math.isfinite(cell):
            continue
        label = tuple(_text(row[column]) for column in of)
        line = found.setdefault(
            label, {"label": dict(zip(by, label, strict=True)), "time": [], "value": [], "line": []}
        )
        line["time"].append(place if times is None else number(round(times[place] - times[0], 6)))
        line["value"].append(number(cell))
        line["line"].append(rows.row_lines[place])
    heaviest = sorted(found.values(), key=lambda one: -sum(one["value"]) / len(one["value"]))
    origin = None if times is None else _text(rows.rows[0][rows.columns.index(row_shape.time)])
    return ("order" if times is None else "seconds"), origin, heaviest[:limit], max(0, len(heaviest) - limit)


def _times(rows: RowSet, column: str) -> list[float] | None:
    """Return the time of every row in seconds; None if there is no clock or a row has no time."""
    times = seconds_of(list(rows.column(column) or ()), column) if column else None
    return None if times is None else times.tolist()


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else str(number(cell))
