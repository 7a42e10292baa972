"""Family-wise error: p-values of growth that hold for all measures of a comparison together.

From enough runs on (6 + 6 at 1 %) by maxT: whole runs are relabelled, and a growth counts as significant when
few labellings have *any* measure that stands out as much. Runs are what is exchanged, so samples within a run
may depend on each other, and so may functions. Below, by Holm's method on the t distribution: a permutation
test of each function cannot alarm there. Totals have half of the level, so that many functions do not hide
that everything is slower; functions share the other half. A function that was asked for by name has a level
of its own.

Sources: P. H. Westfall and S. S. Young, Resampling-Based Multiple Testing (1993), single-step maxT; S. Holm,
Scandinavian Journal of Statistics 6 (1979).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ingest.comparison.contrast import contrast
from ingest.comparison.labellings import count, labellings
from ingest.comparison.student_t import deviate, quantile, tail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ingest.comparison.contrast import Contrast, Family, Measured

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
        critical: The normal deviate that the measure must exceed to be significant; infinite: not tested.
        method: How the p-values were adjusted.
    """

    growth: NDArray[np.float64]
    error: NDArray[np.float64]
    degrees: NDArray[np.float64]
    p_growth: NDArray[np.float64]
    p_decline: NDArray[np.float64]
    critical: NDArray[np.float64]
    method: Literal["maxT", "Holm"]


def judged(measured: Measured, is_new: NDArray[np.bool_], alpha: float) -> Judged:
    """Compare new with base runs.

    Args:
        measured: R runs, 3 at least.
        is_new: (R,) the runs of the new build.
        alpha: Probability of any false alarm among totals and functions, and of each that is alone.
    """
    smallest = min(family.part for family in measured.families)
    if can_permute(len(is_new), int(is_new.sum()), alpha * smallest):
        return _by_permutation(measured, is_new, alpha)
    own = len(is_new) - 2 + (measured.history.degrees if measured.history else 0.0)
    return _by_holm(contrast(measured, is_new[None, :]), measured.families, alpha, MOST_FREEDOM * own)


def can_permute(runs: int, new: int, alpha: float) -> bool:
    """Return whether there are enough labellings for a permutation test."""
    return count(runs, new) * alpha >= FEWEST_ALARMS


def _by_permutation(measured: Measured, is_new: NDArray[np.bool_], alpha: float) -> Judged:
    found = contrast(measured, labellings(is_new))
    z = deviate(found.growth / found.error, found.degrees)
    p_growth, p_decline = np.ones(z.shape[1]), np.ones(z.shape[1])
    critical = np.full(z.shape[1], np.inf)
    for members, part in measured.families:
        tests = z[:, members]
        highest, lowest = np.sort(tests.max(axis=1)), np.sort(-tests.min(axis=1))
        p_growth[members] = np.minimum(1.0, _share_at_least(highest, tests[0]) / part)
        p_decline[members] = np.minimum(1.0, _share_at_least(lowest, -tests[0]) / part)
        rank = max(0, int(len(highest) * alpha * part) - 1)
        critical[members] = highest[::-1][rank]
    return Judged(found.growth[0], found.error[0], found.degrees[0], p_growth, p_decline, critical, "maxT")


def _share_at_least(ascending: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    below = np.searchsorted(ascending, values - _TIE, side="left")
    return np.asarray((len(ascending) - below) / len(ascending), dtype=np.float64)


def _by_holm(found: Contrast, families: Sequence[Family], alpha: float, most_degrees: float) -> Judged:
    growth, error, degrees = found.growth[0], found.error[0], np.minimum(found.degrees[0], most_degrees)
    t = growth / error
    p_growth, p_decline, critical = np.ones_like(t), np.ones_like(t), np.full_like(t, np.inf)
    for members, part in families:
        upper = np.array([float(tail(t[at], degrees[at])) for at in members])
        p_growth[members] = np.minimum(1.0, _holm(upper) / part)
        p_decline[members] = np.minimum(1.0, _holm(1 - upper) / part)
        critical[members] = quantile(alpha * part / len(members), 1e9)
    return Judged(growth, error, degrees, p_growth, p_decline, critical, "Holm")


def _holm(p: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
