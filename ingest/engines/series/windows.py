"""The worst window of a series: the contiguous rows at or beyond a threshold that depart from it most.

Example:
    blocked tasks 0 0 40 40 40 0 at seconds 0 to 5, above 5  ->  rows 2 to 4, 3 s, height 40, mean 20 in all
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from ingest.engines.series.model import Series


LARGEST = 1e30


@dataclass(frozen=True, slots=True)
class Window:
    """Rows `first` to `last` of a series.

    Attributes:
        first: Index of the onset.
        last: Index of the last row.
        onset: Time of the first row in seconds, as in `Series.times`.
        end: Time of the last row.
        seconds: How long it lasts: each row stands for the interval before it; None where that is not known.
        height: The value furthest from the threshold.
        mean: The mean inside.
        lines: First and last line.
    """

    first: int
    last: int
    onset: float
    end: float
    seconds: float | None
    height: float
    mean: float
    lines: tuple[int, int]

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return self.last - self.first + 1


def worst_window(
    series: Series,
    threshold: float,
    least_seconds: float = 0.0,
    *,
    is_below: bool = False,
    counts: Callable[[Window], bool] | None = None,
) -> Window | None:
    """Return the worst window, None when no rows are at or beyond the threshold for long enough.

    Args:
        series: A series; of a counter its rates are looked at.
        threshold: Values at it, or above it, count.
        least_seconds: Shorter windows do not count; a row of an unknown interval counts as a second.
        is_below: Values at or below the threshold count instead.
        counts: Whether a window counts, None for all of them.
    """
    rated = series.rates()
    found = [one for one in _windows(rated, threshold, is_below=is_below) if _lasts(one) >= least_seconds]
    found = [one for one in found if counts is None or counts(one)]
    if not found:
        return None
    # A reader's numbers are below 10^30; a rate of two of them may be more.
    excess = np.minimum(np.abs(np.nan_to_num(rated.values, nan=threshold) - threshold), LARGEST)
    summed = np.concatenate([[0.0], np.cumsum(excess)])
    return max(found, key=lambda one: (summed[one.last + 1] - summed[one.first], one.rows, -one.first))


def _lasts(window: Window) -> float:
    return float(window.rows) if window.seconds is None else window.seconds


def _windows(series: Series, threshold: float, *, is_below: bool) -> Iterator[Window]:
    """Yield all windows; none reaches over a gap, or over a row without a value."""
    values = series.values
    beyond = values <= threshold if is_below else values >= threshold
    for segment in series.segments():
        for first, last in _runs(beyond[segment], segment.start):
            inside = values[first : last + 1]
            height = inside.min() if is_below else inside.max()
            step = series.interval
            yield Window(
                first,
                last,
                float(series.times[first]),
                float(series.times[last]),
                None if step is None else float(series.times[last] - series.times[first]) + step,
                float(height),
                float(inside.mean()),
                (int(series.lines[first]), int(series.lines[last])),
            )


def _runs(flags: NDArray[np.bool_], start: int) -> Iterator[tuple[int, int]]:
    """Yield first and last index of each run of true flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    for first, behind in edges.reshape(-1, 2).tolist():
        yield start + first, start + behind - 1
