"""Runs with the noise of recorded ones, as many as wanted: the tail of the rate of false alarms.

Logarithms of the costs of a run are drawn around the mean of a session from a multivariate t distribution
with the covariance of the recorded residuals, which has what functions share (a slow minute, a caller and its
callees). Its degrees of freedom fit the kurtosis, and a part of the noise is carried over from run to run as
it was recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.comparison.measures import matrix
from ingest.comparison.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from ingest.comparison.contrast import Measured
    from ingest.comparison.costs import Costs

_SEED = 4
_FEWEST_DEGREES = 3.0
_MOST_DEGREES = 50.0


class Noise(NamedTuple):
    """Noise fitted to sessions of unchanged runs.

    Attributes:
        template: Samples and kinds of the measures.
        root: (measures, measures), a square root of the covariance.
        degrees: Of the multivariate t distribution.
        carried: Correlation of a run with the one before it.
    """

    template: Measured
    root: NDArray[np.float64]
    degrees: float
    carried: float


def fitted(sessions: Sequence[Sequence[Costs]]) -> Noise:
    """Fit the noise of unchanged runs, each session in the order of recording."""
    every = [run for session in sessions for run in session]
    template = matrix(every, [1.0] * len(every), families=Rules().families).measured
    sizes = np.cumsum([len(session) for session in sessions])[:-1]
    residuals = [part - part.mean(axis=0) for part in np.split(template.logs, sizes)]
    together = np.concatenate(residuals)
    covariance = together.T @ together / (len(together) - len(sessions))
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-12 * values[-1]
    root = vectors[:, kept] * np.sqrt(values[kept])
    # The excess kurtosis of a t distribution with d degrees of freedom is 6 / (d - 4).
    standard = together / together.std(axis=0)
    excess = float(np.median((standard**4).mean(axis=0)) - 3)
    degrees = _MOST_DEGREES if excess <= 0 else float(np.clip(4 + 6 / excess, _FEWEST_DEGREES, _MOST_DEGREES))
    before = np.concatenate([part[:-1] for part in residuals])
    after = np.concatenate([part[1:] for part in residuals])
    carried = float(np.clip(np.median((before * after).mean(axis=0) / together.var(axis=0)), 0, 0.95))
    return Noise(template, root, degrees, carried)


def identical(noise: Noise, runs: int, count: int) -> Iterator[tuple[Measured, NDArray[np.bool_]]]:
    """Yield `count` pairs of identical builds, recorded A B B A."""
    generator = np.random.default_rng(_SEED)
    is_new = np.array([at % 4 in {1, 2} for at in range(2 * runs)])
    scale = (noise.degrees - 2) / noise.degrees
    for _ in range(count):
        drawn = generator.normal(size=(2 * runs, noise.root.shape[1])) @ noise.root.T
        drawn *= np.sqrt(scale * noise.degrees / generator.chisquare(noise.degrees, (2 * runs, 1)))
        for at in range(1, 2 * runs):
            drawn[at] = noise.carried * drawn[at - 1] + np.sqrt(1 - noise.carried**2) * drawn[at]
        yield noise.template._replace(logs=drawn, history=None), is_new
