"""Labellings of runs for a permutation test: which runs could as well have been those of the new build.

    labellings(np.array([False, False, True]))  ->  [[F, F, T], [F, T, F], [T, F, F]]

The observed labelling is the first row. All of them where there are few, else a fixed pseudo-random sample,
so that the same recordings always give the same verdict.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 6000
"""A p-value of 0.01 then has a standard error of 0.0013."""

_SEED = 20


def count(runs: int, new: int) -> int:
    """Return how many labellings there are."""
    return comb(runs, new)


def labellings(is_new: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return labellings of the same sizes, (labellings, runs), the observed one first."""
    runs, new = len(is_new), int(is_new.sum())
    if count(runs, new) > MOST:
        drawn = np.random.default_rng(_SEED).permuted(np.tile(is_new, (MOST, 1)), axis=1)
        drawn[0] = is_new
        return drawn
    rows = np.zeros((count(runs, new), runs), dtype=np.bool_)
    chosen = np.array(list(combinations(range(runs), new)))
    np.put_along_axis(rows, chosen, values=True, axis=1)
    others = rows[(rows != is_new).any(axis=1)]
    return np.concatenate([is_new[None, :], others])
