"""Change points of a trend: where the mean of a series shifts for good.

    change_points([1.0, 1.01, 0.99, 1.0, 1.2, 1.21, 1.19, 1.2])  ->  [4]

The series is split where the means of both parts differ most, for their noise, and each part is split again,
as long as few permutations of the part have a split that stands out as much. A single outlier is no change
point. For a trend to look at, not for a gate: a change is seen only points after it happened.

The libraries that were tried bring much along: apache-otava 0.8 pins another numpy and needs 12 packages,
ruptures 1.1 needs scipy (110 MB installed); this is one statistic and one loop.

Source: D. S. Matteson and N. A. James, Journal of the American Statistical Association 109 (2014), for
splitting with permutation tests; D. Fleming et al., Hunter, ICPE (2023), for differences of means instead of
distributions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FEWEST = 3
"""Points on each side of a change."""

ALPHA = 0.01
PERMUTATIONS = 499
LONGEST = 500
"""Points of a series that are looked at, the latest."""

_SEED = 6


def change_points(values: Sequence[float]) -> list[int]:
    """Return the positions at which a new level begins, ascending.

    Args:
        values: In order of time; costs as logarithms, so that noise is in proportion.
    """
    series = np.asarray(values, dtype=np.float64)
    offset = max(0, len(series) - LONGEST)
    generator = np.random.default_rng(_SEED)
    found: list[int] = []
    parts = [(offset, len(series))]
    while parts:
        first, end = parts.pop()
        at = _split(series[first:end], generator)
        if at is not None:
            found.append(first + at)
            parts += [(first, first + at), (first + at, end)]
    return sorted(found)


def _split(part: NDArray[np.float64], generator: np.random.Generator) -> int | None:
    """Return where a part changes, None where it does not."""
    if len(part) < 2 * FEWEST or np.ptp(part) == 0:
        return None
    shuffled = generator.permuted(np.tile(part, (PERMUTATIONS + 1, 1)), axis=1)
    shuffled[0] = part
    sizes = _statistics(shuffled)
    highest = sizes.max(axis=1)
    if (highest >= highest[0] * (1 - 1e-12)).mean() > ALPHA:
        return None
    return int(sizes[0].argmax()) + FEWEST


def _statistics(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the squared t statistic of every split, (rows, splits)."""
    count = rows.shape[1]
    centred = rows - rows.mean(axis=1, keepdims=True)
    before = np.arange(FEWEST, count - FEWEST + 1)
    sums = np.cumsum(centred, axis=1)[:, before - 1]
    between = sums**2 * (1 / before + 1 / (count - before))
    total = (centred**2).sum(axis=1, keepdims=True)
    return np.asarray(between / np.maximum(total - between, 1e-12 * total))
