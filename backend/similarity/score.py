"""Similarity scores, 0..1, as pure arithmetic.

Functions: the sum of the smaller weights over the sum of the larger ones (weighted Jaccard, Ruzicka 1958),
each weighted by rarity (inverse document frequency), so that `do_syscall_64` does not make cases similar.
Traits: `backend.search.likeness`. Facts: the mean agreement over the names stated in both cases, without
those that are zero or false in both, as most are on most machines.
"""

from __future__ import annotations

import math
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from backend.search.likeness import compare, most_telling
from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from backend.search.traits import Traits
    from backend.similarity.queries_cases import FactValue

SHOWN = 6
UNSEEN = 10


class Similarity(NamedTuple):
    """A score with the common elements, most distinctive first."""

    share: float
    shown: tuple[str, ...]


def rarity(cases: int, having: int) -> float:
    """Return the rarity weight of an element that `having` of `cases` have, near 0 when most have it.

    Smoothed by `UNSEEN` further cases without it, because with few cases everything is rare.
    """
    return math.log((cases + UNSEEN) / max(having, 1))


def of_functions(
    own: Mapping[int, float], other: Mapping[int, float], rare: Mapping[int, float], names: Mapping[int, str]
) -> Similarity:
    """Compare two weighted sets of functions; `rare` is the rarity weight of each."""
    common = {frame: rare[frame] * min(own[frame], other[frame]) for frame in own.keys() & other.keys()}
    # Sum of maxima = sum of both minus sum of minima.
    union = _whole(own, rare) + _whole(other, rare) - sum(common.values())
    shown = sorted(common, key=lambda frame: (-common[frame], names.get(frame, "")))[:SHOWN]
    share = sum(common.values()) / union if union > 0 else 0.0
    return Similarity(share, tuple(names[frame] for frame in shown if common[frame] > 0))


def of_facts(own: Sequence[FactValue], other: Sequence[FactValue]) -> Similarity | None:
    """Compare facts of the same names; None without a common name."""
    theirs = {fact.name: fact for fact in other}
    pairs = [(fact, theirs[fact.name]) for fact in own if fact.name in theirs]
    pairs = [(mine, yours) for mine, yours in pairs if not (_is_nothing(mine) and _is_nothing(yours))]
    if not pairs:
        return None
    agreed = {mine.name: agreement(mine, yours) for mine, yours in pairs}
    shown = [_words(fact) for fact, _ in pairs if agreed[fact.name] >= 0.9]
    return Similarity(sum(agreed.values()) / len(agreed), tuple(sorted(shown)[:SHOWN]))


def agreement(one: FactValue, other: FactValue) -> float:
    """Return the agreement of two values: numbers by ratio, 0 from a factor of four on."""
    if one.number is not None and other.number is not None:
        if one.number == other.number:
            return 1.0
        if one.number <= 0 or other.number <= 0:
            return 0.0
        return max(0.0, 1.0 - abs(math.log2(one.number) - math.log2(other.number)) / 2)
    return float((one.text, one.truth) == (other.text, other.truth))


def of_traits(own: Traits, other: Traits) -> Similarity | None:
    """Compare the traits that say whether cases are the same problem; None when neither has any."""
    if not own and not other:
        return None
    common = {trait: min(own[trait], other[trait]) for trait in own.keys() & other.keys()}
    return Similarity(compare(own, other).share, tuple(most_telling(common, SHOWN)))


def joined(similarities: Mapping[str, Similarity], weights: Mapping[str, float]) -> float:
    """Return the weighted mean of the available scores.

    Traits always count, so that two hosts with one kernel and nothing else in common are not called similar.
    """
    whole = sum(weights[kind] for kind in similarities.keys() | {"traits"})
    return sum(weights[kind] * one.share for kind, one in similarities.items()) / whole


def _is_nothing(fact: FactValue) -> bool:
    return fact.number == 0 or (fact.number is None and fact.text is None and not fact.truth)


def _whole(weights: Mapping[int, float], rare: Mapping[int, float]) -> float:
    whole: float = sum(map(mul, map(rare.__getitem__, weights), weights.values()))
    return whole


def _words(fact: FactValue) -> str:
    if fact.text is not None:
        return f"{fact.name} {fact.text}"
    if fact.truth is not None:
        return f"{fact.name} {'yes' if fact.truth else 'no'}"
    return f"{fact.name} {value_words(fact.number)}"
