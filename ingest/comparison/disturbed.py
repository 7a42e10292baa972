"""Disturbed runs: those in which something else on the machine multiplied the cost of everything.

    undisturbed(np.log([2.5, 2.5, 2.6, 5.1, …]), is_new)  ->  [True, True, True, False, …]

A run is disturbed when its CPU time is further from the median of its side than six times what runs usually
are. At most a third of a side is, and none of a side with fewer than six runs. The limit is so wide that
identical builds fail no more often for it: benchmarks/GATE.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_SHARE = 3
"""One run in so many."""

FEWEST_RUNS = 6
FARTHEST = 6.0
"""In standard deviations, as the median deviation estimates them."""

LEAST_DEVIATION = 0.01
"""Relative; runs that agree by chance do not make others disturbed."""

_NORMAL = 1.4826
"""Standard deviation of a normal distribution in median absolute deviations."""


def undisturbed(logs: NDArray[np.float64], is_new: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which runs count.

    Args:
        logs: (runs,) logarithm of the CPU time of each run.
        is_new: (runs,) the runs of the new build; both sides have some.
    """
    distance = np.empty_like(logs)
    for side in (is_new, ~is_new):
        distance[side] = np.abs(logs[side] - np.median(logs[side]))
    limit = FARTHEST * max(_NORMAL * float(np.median(distance)), LEAST_DEVIATION)
    counts = np.ones_like(is_new)
    for side in (is_new, ~is_new):
        runs = np.flatnonzero(side)
        most = len(runs) // MOST_SHARE if len(runs) >= FEWEST_RUNS else 0
        farthest = runs[np.argsort(-distance[runs], kind="stable")][:most]
        counts[farthest[distance[farthest] > limit]] = False
    return counts
