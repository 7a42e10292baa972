"""Whether two cases are the same problem: traits compared by kind and rarity.

Of each kind the sum of the smaller weights over the sum of the larger ones (weighted Jaccard, Ruzicka 1958),
each times the square of its rarity among the incidents of `trait_rarity.yaml`. The share is the mean of the
kinds by `WEIGHTS`; a kind that one case lacks counts little, since another tool does not show it, but a
signature that matches in one case only counts whole. `python -m benchmarks.seen_before` measures it.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import yaml

from backend.search.traits import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from backend.search.traits import Traits

WEIGHTS: Mapping[str, float] = {
    "wait": 1.0,
    "class": 1.0,
    "function": 1.0,
    "statement": 0.4,
    "signature": 1.0,
}
ABSENT = 0.35
"""Part of the weight of a kind that only one of the cases has; a signature keeps all of it."""
SAME = 0.68
"""Share from which cases are shown as the same."""
LEAST_COMMON = 1.5
"""Sum of the rarities of common traits from which cases are comparable: about two rare traits."""
UNSEEN = 10
LABELLED = 10
"""Labels after which those of people weigh as much as what was measured."""
AGREES = 0.5
"""Share of a kind from which a pair agrees in it."""


class Likeness(NamedTuple):
    """Two cases compared.

    Attributes:
        share: 0..1.
        common: Sum of weights and rarities of the common traits.
        kinds: Share of each kind that either has.
    """

    share: float
    common: float
    kinds: dict[str, float]

    @property
    def is_same(self) -> bool:
        """Whether the cases are shown as the same."""
        return self.share >= SAME and self.common >= LEAST_COMMON

    @property
    def agreeing(self) -> list[str]:
        """Kinds in which the cases agree."""
        return sorted(kind for kind, share in self.kinds.items() if share >= AGREES)


def compare(own: Traits, other: Traits, weights: Mapping[str, float] = WEIGHTS) -> Likeness:
    """Compare the traits of two cases."""
    least: dict[str, float] = {}
    most: dict[str, float] = {}
    for trait in own.keys() | other.keys():
        one, two = own.get(trait, 0.0), other.get(trait, 0.0)
        kind, rare = _kind_and_rarity(trait)
        least[kind] = least.get(kind, 0.0) + rare * min(one, two)
        most[kind] = most.get(kind, 0.0) + rare * max(one, two)
    shared = set(map(kind_of, own)) & set(map(kind_of, other))
    kinds = {kind: least[kind] / most[kind] for kind in sorted(most) if most[kind] > 0}
    parts = {
        kind: weights.get(kind, 0.0) * (1.0 if kind in shared or kind == "signature" else ABSENT)
        for kind in kinds
    }
    whole = sum(parts.values())
    share = sum(parts[kind] * kinds[kind] for kind in kinds) / whole if whole > 0 else 0.0
    return Likeness(share, sum(least.values()), kinds)


@lru_cache(maxsize=8192)
def _kind_and_rarity(trait: str) -> tuple[str, float]:
    """Return the kind of a trait and the square of its rarity: a case is compared with many that have it."""
    return kind_of(trait), rarity(trait) ** 2


def rarity(trait: str) -> float:
    """Return the rarity of a trait, 0..1: that of no incident 1, that of nearly all near 0."""
    incidents, counts = _counted()
    count = counts.get(trait)
    return 1.0 if count is None else math.log((incidents + UNSEEN) / count) / math.log(incidents + UNSEEN)


def most_telling(traits: Traits, many: int) -> dict[str, float]:
    """Return the traits that tell most, with weight times rarity times the weight of their kind."""
    scores = {
        trait: weight * rarity(trait) ** 2 * WEIGHTS[kind_of(trait)] for trait, weight in traits.items()
    }
    ranked = sorted(scores, key=lambda trait: (-scores[trait], trait))[:many]
    return {trait: scores[trait] for trait in ranked if scores[trait] > 0}


def learned_weights(labels: Iterable[tuple[str, bool, int]]) -> dict[str, float]:
    """Return the weights of kinds after the labels of people.

    A kind keeps the share of its weight that it earns: of the labelled pairs that agree in it, those that
    people call the same. Before the first label, `LABELLED` pairs count as called the same.

    Args:
        labels: Kind, whether the pairs are the same, and how many agree in the kind.
    """
    counts = {kind: [LABELLED, LABELLED] for kind in WEIGHTS}
    for kind, is_same, pairs in labels:
        if kind in counts:
            counts[kind][0] += pairs if is_same else 0
            counts[kind][1] += pairs
    return {kind: WEIGHTS[kind] * same / every for kind, (same, every) in counts.items()}


@cache
def _counted() -> tuple[int, dict[str, int]]:
    """Return the number of incidents, and in how many of them frequent traits are."""
    table = yaml.safe_load((files(__package__) / "trait_rarity.yaml").read_text(encoding="utf-8"))
    return table["incidents"], table["counts"]
