"""The worst window of a fact in words: when a value was high, for how long, and the mean beside it.

worst(entry, 5.0)   ->  Worst(series, window): 40 tasks from 21:19:40 on, for 3 s; the mean is 4 in 30 s
when(worst)         ->  "from 21:19:40 for 3 s"
mean_of(worst)      ->  "mean 4 in 30 s"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.engines.series.model import series_of
from ingest.engines.series.windows import worst_window
from signatures.language.number_format import value_words
from signatures.overview.model import Place, place

if TYPE_CHECKING:
    from ingest.engines.series.model import Series
    from ingest.engines.series.windows import Window
    from signatures.judging.scope import Item
    from signatures.overview.scope_evidence import FactEntry

MINUTE, HOUR = 60.0, 3600.0


class Worst(NamedTuple):
    """A window of a series, and the item of both."""

    series: Series
    window: Window
    item: Item

    @property
    def place(self) -> Place:
        """The lines of the window."""
        return place(self.item, *self.window.lines)

    @property
    def is_whole(self) -> bool:
        """Whether the window is all of the series: then the mean says the same."""
        return self.window.rows == len(self.series.values)

    @property
    def is_all_known(self) -> bool:
        """Whether the window has all values: of counters the first look has none."""
        return self.window.rows == int((~np.isnan(self.series.values)).sum())


def of_entry(entry: FactEntry, above: float, least_seconds: float = 0.0) -> Worst | None:
    """Return the worst window of the series of one fact, None when there is none."""
    labels = {name: text for name, text in entry.fact.labels.items() if text != "all"}
    for series in series_of(entry.item.reading, entry.fact.name, above):
        if series.labels == labels and (window := worst_window(series, above, least_seconds)):
            return Worst(series, window, entry.item)
    return None


def when(worst: Worst) -> str:
    """Return when it was and how long: `from 21:19:40 for 3 s`, `in 3 of 30 rows` where no time is known."""
    series, window = worst.series, worst.window
    if window.seconds is None:
        at = f" from {series.clock[window.first]} on" if series.clock else ""
        return f"in {window.rows:,} of {len(series.values):,} rows{at}"
    if worst.is_all_known:
        return f"in {_duration(window.seconds)} between the first look and the last"
    lasts = f"for {_duration(window.seconds)}"
    if series.clock:
        return f"from {series.clock[window.first]} {lasts}"
    began = _duration(window.onset - float(series.times[0]))
    return f"{began} after the first row, {lasts}" if window.first else f"from the first row on, {lasts}"


def mean_of(worst: Worst) -> str:
    """Return the mean of all rows, and the time that they span: `mean 4 in 2 min`."""
    series = worst.series
    mean = value_words(series.mean, _unit(series))
    if series.interval is None:
        return f"mean {mean}"
    return f"mean {mean} in {_duration(float(series.times[-1] - series.times[0]) + series.interval)}"


def counted_in(worst: Worst) -> tuple[float, float] | None:
    """Return what a share is in numbers: how many were counted in the window, and of how many."""
    wholes = worst.series.wholes
    if wholes is None:
        return None
    rows = slice(worst.window.first, worst.window.last + 1)
    return float(np.nansum(worst.series.values[rows] * wholes[rows])), float(np.nansum(wholes[rows]))


def height(worst: Worst) -> str:
    """Return the highest value with its unit."""
    return value_words(worst.window.height, _unit(worst.series))


def _unit(series: Series) -> str:
    if series.unit == "per_second":
        return "bytes" if "bytes" in series.name else ""
    return "" if series.unit == "count" else series.unit


def _duration(seconds: float) -> str:
    """Return `3 s`, `2 min`, `90 s`, `4 h`."""
    for unit, size in (("h", HOUR), ("min", MINUTE)):
        if seconds >= size and (seconds % size == 0 or seconds >= 3 * size):
            return f"{value_words(round(seconds / size, 1))} {unit}"
    return f"{value_words(round(seconds, 3))} s"
