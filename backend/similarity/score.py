"""How far two cases are alike in one respect: pure arithmetic, 0..1, with what they have in common.

Functions: the sum of the smaller weights over the sum of the larger ones (weighted Jaccard, Ruzicka 1958),
each counted by how few cases have it, so that `do_syscall_64` makes nobody alike. Facts: the mean agreement
over the names that both cases state. Words: what part of the shorter title the other has too.
"""

from __future__ import annotations

import math
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from backend.similarity.queries import FactValue

SHOWN = 6
UNSEEN = 10


class Similarity(NamedTuple):
    """A share, and what is in common, most telling first."""

    share: float
    told: tuple[str, ...]


def rarity(cases: int, having: int) -> float:
    """Return how telling something is that `having` of `cases` have: next to nothing when all of many do.

    In a house of few cases everything is rare: as if `UNSEEN` more without it had been seen.
    """
    return math.log((cases + UNSEEN) / max(having, 1))


def of_functions(
    own: Mapping[int, float], other: Mapping[int, float], rare: Mapping[int, float], names: Mapping[int, str]
) -> Similarity:
    """Compare two weighted sets of functions; `rare` says of each how telling it is."""
    common = {frame: rare[frame] * min(own[frame], other[frame]) for frame in own.keys() & other.keys()}
    # The larger of two is what both are, without the smaller.
    union = _whole(own, rare) + _whole(other, rare) - sum(common.values())
    told = sorted(common, key=lambda frame: (-common[frame], names.get(frame, "")))[:SHOWN]
    share = sum(common.values()) / union if union > 0 else 0.0
    return Similarity(share, tuple(names[frame] for frame in told if common[frame] > 0))


def of_facts(own: Sequence[FactValue], other: Sequence[FactValue]) -> Similarity | None:
    """Compare facts of the same names; None when there is no name that both state."""
    theirs = {fact.name: fact for fact in other}
    pairs = [(fact, theirs[fact.name]) for fact in own if fact.name in theirs]
    if not pairs:
        return None
    agreed = {mine.name: agreement(mine, yours) for mine, yours in pairs}
    told = [_words(fact) for fact, _ in pairs if agreed[fact.name] >= 0.9]
    return Similarity(sum(agreed.values()) / len(agreed), tuple(sorted(told)[:SHOWN]))


def agreement(one: FactValue, other: FactValue) -> float:
    """Return how far two values agree: numbers by their ratio, down to nothing at a factor of four."""
    if one.number is not None and other.number is not None:
        if one.number == other.number:
            return 1.0
        if one.number <= 0 or other.number <= 0:
            return 0.0
        return max(0.0, 1.0 - abs(math.log2(one.number / other.number)) / 2)
    return float((one.text, one.truth) == (other.text, other.truth))


def of_words(own: frozenset[str], other: frozenset[str]) -> Similarity | None:
    """Compare two sets of stems; None when either has none."""
    if not own or not other:
        return None
    common = own & other
    return Similarity(len(common) / min(len(own), len(other)), tuple(sorted(common)[:SHOWN]))


def joined(likenesses: Mapping[str, Similarity], weights: Mapping[str, float]) -> float:
    """Return the mean of what could be compared, by `weights`.

    Stacks always count: two hosts of one kernel, without stacks to compare, are not called the same case.
    """
    whole = sum(weights[kind] for kind in likenesses.keys() | {"stacks"})
    return sum(weights[kind] * one.share for kind, one in likenesses.items()) / whole


def _whole(weights: Mapping[int, float], rare: Mapping[int, float]) -> float:
    whole: float = sum(map(mul, map(rare.__getitem__, weights), weights.values()))
    return whole


def _words(fact: FactValue) -> str:
    if fact.text is not None:
        return f"{fact.name} {fact.text}"
    if fact.truth is not None:
        return f"{fact.name} {'yes' if fact.truth else 'no'}"
    return f"{fact.name} {value_words(fact.number)}"
