"""Precision of a signature from the labels of people, with the Wilson score interval.

>>> [round(one, 2) for one in interval(3, 4)]
[0.3, 0.95]

Source: Wilson, Journal of the American Statistical Association 22 (1927), p. 209; recommended for few
observations by Brown, Cai and DasGupta, Statistical Science 16 (2001), p. 101.
"""

from __future__ import annotations

import math

Z = 1.959964
"""Standard normal quantile of a two-sided interval of 95 %."""


def interval(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % interval of a share; everything is possible without trials."""
    if trials == 0:
        return 0.0, 1.0
    share, square = successes / trials, Z * Z
    scale = 1 + square / trials
    middle = (share + square / (2 * trials)) / scale
    margin = Z * math.sqrt(share * (1 - share) / trials + square / (4 * trials * trials)) / scale
    return max(0.0, middle - margin), min(1.0, middle + margin)
