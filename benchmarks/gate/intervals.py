"""Exact confidence interval of a proportion.

    exact(0, 20)  ->  (0.0, 0.168)

Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934).
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p

TAIL = 0.025
_STEPS = 50


def exact(found: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of `found` out of `of`."""
    low = _crossing(of, found - 1, 1 - TAIL) if found else 0.0
    high = _crossing(of, found, TAIL) if found < of else 1.0
    return low, high


def most(found: int, of: int, confidence: float = 0.95) -> float:
    """Return the one-sided upper bound of the proportion."""
    return _crossing(of, found, 1 - confidence) if found < of else 1.0


def _crossing(of: int, most: int, probability: float) -> float:
    """Return the proportion at which at most `most` of `of` has this probability."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(most, of, middle) > probability else (low, middle)
    return (low + high) / 2


def _at_most(most: int, of: int, share: float) -> float:
    whole = lgamma(of + 1)
    return sum(
        exp(whole - lgamma(at + 1) - lgamma(of - at + 1) + at * log(share) + (of - at) * log1p(-share))
        for at in range(most + 1)
    )
