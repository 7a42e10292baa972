"""Statistical power: the growth that a comparison would find, and how many runs a given growth needs.

Approximation: a growth is found with probability `power` when it is as many standard errors large as the
critical value and the quantile of `power` together.

Source: J. Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), chapter 2.
"""

from __future__ import annotations

import math

from ingest.comparison.student_t import from_deviate, quantile

POWER = 0.9
MOST_RUNS = 500
"""On each side; noise that needs more is not averaged out in a pipeline."""


def detectable(error: float, degrees: float, critical: float) -> float:
    """Return the growth that is found in 9 of 10 cases: 0.12 is 12 %.

    Args:
        error: Standard error of the difference of mean logarithms.
        degrees: Its degrees of freedom.
        critical: The normal deviate that must be exceeded.
    """
    needed = (from_deviate(critical, degrees) + quantile(1 - POWER, degrees)) * error
    return math.expm1(needed) if needed < 700 else math.inf


def runs_needed(
    deviation: float, other_degrees: float, critical: float, growth: float, least: int
) -> int | None:
    """Return how many runs on each side find `growth` in 9 of 10 cases; None above `MOST_RUNS`.

    Args:
        deviation: Standard deviation of the logarithm of one run.
        other_degrees: Degrees of freedom that do not come from these runs: history and prior.
        critical: The normal deviate that must be exceeded.
        growth: 0.1 is 10 %.
        least: Fewest runs on each side.
    """
    for runs in range(least, MOST_RUNS + 1):
        degrees = 2 * runs - 2 + other_degrees
        if detectable(deviation * math.sqrt(2 / runs), degrees, critical) <= growth:
            return runs
    return None
