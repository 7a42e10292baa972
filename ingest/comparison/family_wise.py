"""Family-wise error: p-values of growth that hold for all measures of a comparison together.

From enough runs on (6 + 6 at 1 %) by maxT: whole runs are relabelled, and a growth counts as significant when
few labellings have *any* measure that stands out as much. Runs are what is exchanged, so samples within a run
may depend on each other, and so may functions. Below, by Holm's method on the t distribution: a permutation
test of each function cannot alarm there.

Sources: P. H. Westfall and S. S. Young, Resampling-Based Multiple Testing (1993), single-step maxT; S. Holm,
Scandinavian Journal of Statistics 6 (1979).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ingest.comparison.contrast import Contrast, contrast
from ingest.comparison.labellings import count, labellings
from ingest.comparison.student_t import deviate, quantile, tail

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ingest.comparison.contrast import Measured

FEWEST_ALARMS = 4
"""Labellings that the permitted share of false alarms must be at least."""

MOST_FREEDOM = 2
"""Degrees of freedom of a moderated variance in multiples of the runs' own, without a permutation test.

Runs that are slow as a whole make functions vary together: their common variance is known no better than that
of one function, however many there are. benchmarks/GATE.md has the rates of false alarms.
"""

_TIE = 1e-9


class Judged(NamedTuple):
    """A contrast with family-wise p-values, (measures,) each.

    Attributes:
        growth: Difference of mean logarithms.
        error: Its standard error.
        degrees: Degrees of freedom.
        p_growth: One-sided, of growth.
        p_decline: One-sided, of decline.
        critical: The normal deviate that a measure must exceed to be significant.
        method: How the p-values were adjusted.
    """

    growth: NDArray[np.float64]
    error: NDArray[np.float64]
    degrees: NDArray[np.float64]
    p_growth: NDArray[np.float64]
    p_decline: NDArray[np.float64]
    critical: float
    method: Literal["maxT", "Holm"]


def judged(measured: Measured, is_new: NDArray[np.bool_], alpha: float) -> Judged:
    """Compare new with base runs.

    Args:
        measured: R runs, 3 at least.
        is_new: (R,) the runs of the new build.
        alpha: Probability of any false alarm among all measures.
    """
    if can_permute(len(is_new), int(is_new.sum()), alpha):
        return _by_permutation(measured, is_new, alpha)
    own = len(is_new) - 2 + (measured.history.degrees if measured.history else 0.0)
    return _by_holm(contrast(measured, is_new[None, :]), alpha, MOST_FREEDOM * own)


def can_permute(runs: int, new: int, alpha: float) -> bool:
    """Return whether there are enough labellings for a permutation test."""
    return count(runs, new) * alpha >= FEWEST_ALARMS


def _by_permutation(measured: Measured, is_new: NDArray[np.bool_], alpha: float) -> Judged:
    found = contrast(measured, labellings(is_new))
    z = deviate(found.growth / found.error, found.degrees)
    highest, lowest = z.max(axis=1), z.min(axis=1)
    rank = max(0, int(len(highest) * alpha) - 1)
    return Judged(
        found.growth[0],
        found.error[0],
        found.degrees[0],
        _share_at_least(np.sort(highest), z[0]),
        _share_at_least(np.sort(-lowest), -z[0]),
        float(np.sort(highest)[::-1][rank]),
        "maxT",
    )


def _share_at_least(ascending: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    below = np.searchsorted(ascending, values - _TIE, side="left")
    return np.asarray((len(ascending) - below) / len(ascending), dtype=np.float64)


def _by_holm(found: Contrast, alpha: float, most_degrees: float) -> Judged:
    growth, error, degrees = found.growth[0], found.error[0], np.minimum(found.degrees[0], most_degrees)
    t = growth / error
    upper = np.array([float(tail(one, of)) for one, of in zip(t, degrees, strict=True)])
    normal = quantile(alpha / max(1, len(t)), 1e9)
    return Judged(growth, error, degrees, _holm(upper), _holm(1 - upper), normal, "Holm")


def _holm(p: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
