"""Information gain of an observation over competing hypotheses, in bits.

    gain([0.5, 0.4, 0.1], [0.9, 0.08, 0.4])  ->  0.42

It is the expected fall of the entropy of the hypotheses: H(h) - P(o) H(h | o) - P(not o) H(h | not o).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def entropy(weights: Sequence[float]) -> float:
    """Return the entropy of weights, which need not sum to 1."""
    total = sum(weights)
    shares = [one / total for one in weights if one] if total else []
    return -sum(one * math.log2(one) for one in shares)


def gain(weights: Sequence[float], likelihoods: Sequence[float]) -> float:
    """Return the expected fall of entropy from knowing whether an observation holds.

    Args:
        weights: H weights of the hypotheses, which sum to 1.
        likelihoods: H probabilities of the observation under each hypothesis.
    """
    held = [weight * one for weight, one in zip(weights, likelihoods, strict=True)]
    failed = [weight * (1 - one) for weight, one in zip(weights, likelihoods, strict=True)]
    after = sum(held) * entropy(held) + sum(failed) * entropy(failed)
    return max(0.0, entropy(weights) - after)
