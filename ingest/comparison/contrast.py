"""Contrast of two groups of runs: growth of every measure, its standard error and its degrees of freedom.

A measure is the logarithm of a cost per unit of work, so that growth is a difference and noise is in
proportion. Functions have moderated variances; a total has its own, since counters such as `instructions:u`
vary a hundredth of what functions do. Earlier sessions of the baseline add to the variance of every measure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.comparison.moderation import moderated
from ingest.comparison.rules import COMMON

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_DEVIATION = 1e-5
"""Relative; identical runs (a counter that never varies) do not make a growth of one count significant."""


class History(NamedTuple):
    """What earlier sessions varied by inside each.

    Attributes:
        squares: (measures,) sums of squared deviations from the mean of their session.
        degrees: Of freedom: runs less sessions.
    """

    squares: NDArray[np.float64]
    degrees: float


class Family(NamedTuple):
    """Tests that share a level.

    Attributes:
        members: Positions of the measures.
        part: Of the level.
    """

    members: NDArray[np.int64]
    part: float


class Measured(NamedTuple):
    """What was measured.

    Attributes:
        logs: (runs, measures).
        samples: (measures,) mean samples of a run behind a measure; infinite for a counter.
        is_total: (measures,) a total, not a function.
        history: Variances of earlier sessions, None without.
        family: (measures,) tests that share a level, as `ingest.comparison.rules` numbers them; negative for
            a measure that is not tested. None: all share it.
    """

    logs: NDArray[np.float64]
    samples: NDArray[np.float64]
    is_total: NDArray[np.bool_]
    history: History | None = None
    family: NDArray[np.int64] | None = None

    @property
    def families(self) -> list[Family]:
        """Families that are tested: totals and functions share the level, others have a whole one each."""
        if self.family is None:
            return [Family(np.arange(len(self.samples)), 1.0)]
        found = [one for one in np.unique(self.family).tolist() if one >= 0]
        part = 1.0 / max(1, sum(one <= COMMON for one in found))
        return [Family(np.flatnonzero(self.family == one), part if one <= COMMON else 1.0) for one in found]


class Contrast(NamedTuple):
    """New against base, (labellings, measures) each.

    Attributes:
        growth: Difference of the mean logarithms.
        error: Standard error of it.
        degrees: Degrees of freedom of the error.
    """

    growth: NDArray[np.float64]
    error: NDArray[np.float64]
    degrees: NDArray[np.float64]


def contrast(measured: Measured, is_new: NDArray[np.bool_]) -> Contrast:
    """Compare the groups of every labelling.

    Args:
        measured: R runs.
        is_new: (labellings, R), each with runs on both sides and 3 in all at least.
    """
    logs = measured.logs - measured.logs.mean(axis=0)
    labels = is_new.astype(np.float64)
    new = labels.sum(axis=1, keepdims=True)
    base = len(logs) - new
    sums = labels @ logs
    mean_new, mean_base = sums / new, (logs.sum(axis=0) - sums) / base
    squares = (logs**2).sum(axis=0) - new * mean_new**2 - base * mean_base**2
    degrees = float(len(logs) - 2)
    if measured.history is not None:
        squares = squares + measured.history.squares
        degrees += measured.history.degrees
    variance = np.maximum(squares, 0.0) / degrees + LEAST_DEVIATION**2
    freedom = np.full_like(variance, degrees)
    functions = np.flatnonzero(~measured.is_total)
    if len(functions):
        shrunk = moderated(variance[:, functions], degrees, measured.samples[functions])
        variance[:, functions] = shrunk.variance
        freedom[:, functions] = shrunk.degrees
    return Contrast(mean_new - mean_base, np.sqrt(variance * (1 / new + 1 / base)), freedom)
