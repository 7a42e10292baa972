"""Moderated variance: what a function varies by, shrunk to what functions of its size vary by.

With few runs the variance of one function is itself uncertain. The prior variance is `scale * (excess +
1/samples)`: sampling noise falls with the number of samples, the rest is what runs differ by. `excess` is the
one of a grid under which the logarithms of the variances scatter least; the prior's degrees of freedom follow
from that scatter.

Every argument may hold one row for each labelling of the runs; each row is fitted by itself, so that a
permutation test repeats the whole estimate.

Source: G. K. Smyth, Statistical Applications in Genetics and Molecular Biology 3 (2004), section 6.2; C. W.
Law et al., Genome Biology 15 (2014), for a variance that follows the mean.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXCESSES = (0.0, *np.logspace(-5, -0.5, 13).tolist())
FEWEST = 5
"""Functions that a prior can be estimated from."""

MOST_PRIOR_DEGREES = 60.0
"""Functions of one program vary together, which makes their variances look more alike than they are."""


class Moderated(NamedTuple):
    """Variances with their degrees of freedom.

    Attributes:
        variance: (labellings, functions).
        degrees: (labellings, 1) of each variance, the prior's included.
    """

    variance: NDArray[np.float64]
    degrees: NDArray[np.float64]


def moderated(variance: NDArray[np.float64], degrees: float, samples: NDArray[np.float64]) -> Moderated:
    """Shrink variances to the prior of their row.

    Args:
        variance: (labellings, functions), above 0, with `degrees` degrees of freedom each.
        degrees: At least 1.
        samples: (functions,) mean samples of a run, above 0.
    """
    if variance.shape[1] < FEWEST:
        return Moderated(variance, np.full((len(variance), 1), degrees))
    centred = np.log(variance) - (_digamma(degrees / 2) - np.log(degrees / 2))
    prior, scatter = _prior(centred, samples)
    prior_degrees = _prior_degrees(scatter - float(_trigamma(np.array([degrees / 2]))[0]))[:, None]
    both = prior_degrees + degrees
    return Moderated((prior_degrees * prior + degrees * variance) / both, both)


def _prior(
    centred: NDArray[np.float64], samples: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the prior variance (labellings, functions) and the scatter around it (labellings,)."""
    functions = centred.shape[1]
    best = np.full(len(centred), np.inf)
    prior = np.empty_like(centred)
    for excess in EXCESSES:
        shape = np.log(excess + 1 / samples)
        rest = centred - shape
        level = rest.mean(axis=1)
        scatter = ((rest - level[:, None]) ** 2).sum(axis=1) / max(1, functions - 2)
        is_better = scatter < best
        best[is_better] = scatter[is_better]
        prior[is_better] = (level[:, None] + shape)[is_better]
    return np.exp(prior), best


def _prior_degrees(excess_scatter: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the d for which trigamma(d/2) is the scatter that the variances' own does not explain."""
    at, degrees = _trigamma_table()
    return np.where(excess_scatter > at[0], np.interp(excess_scatter, at, degrees), MOST_PRIOR_DEGREES)


@cache
def _trigamma_table() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    degrees = np.logspace(np.log10(MOST_PRIOR_DEGREES), -2, 400)
    return _trigamma(degrees / 2), degrees


def _trigamma(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the second derivative of log gamma: recurrence to 6 and above, then the asymptotic series."""
    total = np.zeros_like(x)
    for step in range(6):
        total += 1 / (x + step) ** 2
    y = x + 6
    return total + 1 / y + 1 / (2 * y**2) + 1 / (6 * y**3) - 1 / (30 * y**5) + 1 / (42 * y**7)


def _digamma(x: float) -> float:
    """Return the first derivative of log gamma, likewise."""
    below = sum(1 / (x + step) for step in range(6))
    y = x + 6
    return float(np.log(y) - 1 / (2 * y) - 1 / (12 * y**2) + 1 / (120 * y**4) - 1 / (252 * y**6) - below)
