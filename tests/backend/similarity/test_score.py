"""Similarity scores are arithmetic that a person can follow."""

from __future__ import annotations

import pytest

from backend.similarity.queries_cases import FactValue
from backend.similarity.score import Similarity, agreement, joined, of_facts, of_functions, of_traits, rarity

NAMES = {1: "shrink_lruvec", 2: "lru_note_cost", 3: "do_syscall_64"}
RARE = {1: 2.0, 2: 2.0, 3: 0.0}


def number(name: str, value: float) -> FactValue:
    return FactValue(name, value, None, None)


def text(name: str, value: str) -> FactValue:
    return FactValue(name, None, value, None)


def test_the_same_functions_by_the_same_weight_are_wholly_alike():
    own = {1: 0.6, 2: 0.3, 3: 1.0}
    assert of_functions(own, dict(own), RARE, NAMES) == Similarity(1.0, ("shrink_lruvec", "lru_note_cost"))


def test_functions_of_every_case_do_not_make_cases_similar():
    assert of_functions({3: 1.0}, {3: 1.0}, RARE, NAMES) == Similarity(0.0, ())
    assert rarity(10_000, 10_000) < 0.01
    assert rarity(10, 1) > rarity(10, 5) > 0
    assert rarity(2, 2) > 1, "of two cases nothing is common yet"


def test_a_function_that_weighs_less_there_counts_less():
    half = of_functions({1: 0.8}, {1: 0.4}, RARE, NAMES)
    assert half.share == pytest.approx(0.5)
    assert of_functions({1: 0.8}, {2: 0.8}, RARE, NAMES).share == 0.0


def test_function_similarity_is_symmetric():
    one, other = {1: 0.8, 2: 0.1}, {1: 0.3, 3: 0.9}
    assert of_functions(one, other, RARE, NAMES) == of_functions(other, one, RARE, NAMES)


def test_facts_are_compared_where_both_state_them():
    own = [text("kernel.release", "6.1.0"), number("memcg.usage_share", 1.0), number("only.here", 3)]
    other = [text("kernel.release", "6.1.0"), number("memcg.usage_share", 0.25)]
    alike = of_facts(own, other)
    assert alike == Similarity(0.5, ("kernel.release 6.1.0",))
    assert of_facts(own, [number("elsewhere", 1)]) is None


def test_numbers_agree_by_their_ratio():
    assert agreement(number("a", 8), number("a", 8)) == 1.0
    assert agreement(number("a", 8), number("a", 4)) == pytest.approx(0.5)
    assert agreement(number("a", 8), number("a", 1)) == 0.0
    assert agreement(number("a", 0), number("a", 1)) == 0.0
    assert agreement(number("a", 8), number("a", float("inf"))) == 0.0, "a limit that is not set"
    assert agreement(number("a", 0), number("a", 0)) == 1.0


def test_facts_that_are_zero_on_most_machines_tell_nothing():
    assert of_facts([number("vmstat.compact_fail", 0)], [number("vmstat.compact_fail", 0)]) is None
    one = [number("vmstat.compact_fail", 0), number("a", 8)]
    assert of_facts(one, [number("vmstat.compact_fail", 9), number("a", 8)]) == Similarity(0.5, ("a 8",))


def test_traits_are_compared_where_either_case_has_some():
    assert of_traits({}, {}) is None
    assert of_traits({"class:a": 1.0}, {}) == Similarity(0.0, ())
    assert of_traits({"class:a": 1.0}, {"class:a": 1.0}) == Similarity(1.0, ("class:a",))


def test_scores_use_comparable_parts_only():
    weights = {"traits": 0.6, "facts": 0.4}
    assert joined({"traits": Similarity(0.5, ()), "facts": Similarity(1.0, ())}, weights) == pytest.approx(
        0.7
    )
    assert joined({"facts": Similarity(1.0, ())}, weights) == pytest.approx(0.4)
    assert joined({"traits": Similarity(0.5, ())}, weights) == pytest.approx(0.5)
    assert joined({}, weights) == 0.0
