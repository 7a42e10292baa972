"""Numbers compared with bounds."""

from __future__ import annotations

import pytest

from signatures.judging.observation import compare_number
from signatures.language.conditions import Bound
from signatures.language.units import parse


@pytest.mark.parametrize(
    ("value", "is_met", "strength"),
    [(0.0, False, 0.0), (1.0, True, 0.5), (2.0, True, 0.75), (3.0, True, 1.0), (9.0, True, 1.0)],
)
def test_strength_rises_from_the_threshold_to_strong(value, is_met, strength):
    found = compare_number(value, Bound(at_least=parse("1"), strong=parse("3")))
    assert (found.is_met, found.strength) == (is_met, strength)


@pytest.mark.parametrize(("value", "is_met", "strength"), [(0.0, False, 0.0), (1.0, True, 1.0)])
def test_a_threshold_that_is_strong_itself_divides_by_no_zero(value, is_met, strength):
    found = compare_number(value, Bound(at_least=parse("1"), strong=parse("1")))
    assert (found.is_met, found.strength) == (is_met, strength)


def test_a_bound_is_compared_in_the_unit_of_the_value():
    assert compare_number(0.02, Bound(at_least=parse("20 ms")), "seconds").is_met
    assert compare_number(20.0, Bound(at_least=parse("20 ms")), "ms").is_met
