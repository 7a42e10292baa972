"""Student's t against published tables and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ingest.comparison.student_t import deviate, from_deviate, quantile, tail


@pytest.mark.parametrize(
    ("probability", "degrees", "value"),
    # NIST/SEMATECH e-Handbook, 1.3.6.7.2, critical values of Student's t.
    [
        (0.05, 1, 6.314),
        (0.025, 4, 2.776),
        (0.01, 10, 2.764),
        (0.001, 10, 4.143),
        (0.001, 2, 22.327),
        (0.025, 100, 1.984),
    ],
)
def test_quantiles_are_those_of_the_table(probability, degrees, value):
    assert quantile(probability, degrees) == pytest.approx(value, abs=0.002)


@pytest.mark.parametrize("t", [0.0, 0.5, 3.0, 50.0, 5000.0])
def test_the_tail_of_one_two_and_four_degrees_is_the_closed_form(t):
    assert float(tail(t, 1)) == pytest.approx(math.atan2(1, t) / math.pi, rel=1e-9)
    assert float(tail(t, 2)) == pytest.approx(1 / (2 + t * t + t * math.sqrt(2 + t * t)), rel=1e-9)
    u = t / math.sqrt(t * t + 4)
    if t < 100:
        assert float(tail(t, 4)) == pytest.approx(0.5 - u * (3 - u * u) / 4, rel=1e-6)


def test_with_many_degrees_the_tail_is_normal():
    assert float(tail(3.0, 1e6)) == pytest.approx(0.5 * math.erfc(3 / math.sqrt(2)), rel=0.03)


def test_the_lower_half_is_the_rest_of_the_upper():
    assert tail(np.array([-1.3]), 7) + tail(np.array([1.3]), 7) == pytest.approx(1)


@pytest.mark.parametrize("degrees", [2, 10, 60])
def test_a_deviate_is_about_as_likely_as_its_t(degrees):
    t = quantile(0.005, degrees)
    assert float(deviate(np.array([t]), degrees)[0]) == pytest.approx(2.576, abs=0.08)
    assert from_deviate(float(deviate(np.array([t]), degrees)[0]), degrees) == pytest.approx(t)
