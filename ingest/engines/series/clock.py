"""Times of rows: clocks with or without a date, and numbers with a unit, as seconds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ingest.model.row_columns import Cell

SCALES = {"time_s": 1.0, "time_ms": 1e-3, "time_us": 1e-6, "time_ns": 1e-9}
"""Columns of times that are numbers."""

TEXT = "time_text"
"""The column of times that are printed as a clock."""

_CLOCK = re.compile(
    r"^(?:\w[\w/.-]{4,9}[ T])?(?P<hours>\d{1,2}):(?P<minutes>\d\d):(?P<seconds>\d\d(?:\.\d+)?)"
    r"(?: (?P<half>[AP]M))?(?: [A-Z]{2,5})?$"
)
_EPOCH = re.compile(r"^\d{9,}(?:\.\d+)?$")
_HALF_DAY, _DAY = 43_200.0, 86_400.0


def seconds_of(cells: Sequence[Cell], column: str) -> NDArray[np.float64] | None:
    """Return the time of every row in seconds; None where a row has none, or there are no rows.

    A clock goes on past midnight; a date before it is not looked at.
    """
    if not len(cells):
        return None
    days, before = 0.0, -np.inf
    found = np.empty(len(cells))
    known: dict[Cell, float | None] = {}
    for at, cell in enumerate(cells):
        if cell not in known:
            known[cell] = _seconds(cell, column)
        seconds = known[cell]
        if seconds is None:
            return None
        if column == TEXT and seconds + days < before - _HALF_DAY:
            days += _DAY
        found[at] = before = seconds + days
    return found


def _seconds(cell: Cell, column: str) -> float | None:
    if isinstance(cell, float | int):
        return cell * SCALES.get(column, 1.0)
    text = (cell or "").strip()
    found = _CLOCK.match(text)
    if not found:
        return float(text) if _EPOCH.match(text) else None
    hours = int(found["hours"]) % 12 if found["half"] else int(found["hours"])
    hours += 12 if found["half"] == "PM" else 0
    return 3600.0 * hours + 60.0 * int(found["minutes"]) + float(found["seconds"])
