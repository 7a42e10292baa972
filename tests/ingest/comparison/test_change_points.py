"""Change points of a trend: shifts are found where they are, noise and outliers are none."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.comparison.change_points import FEWEST, LONGEST, change_points


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(23)


def test_one_shift_is_found_where_it_is(rng):
    series = np.concatenate([rng.normal(0, 0.02, 30), rng.normal(0.1, 0.02, 20)])
    assert change_points(series) == [pytest.approx(30, abs=1)]


def test_several_shifts_are_found_in_order(rng):
    levels = [0.0, 0.15, -0.1, 0.0]
    series = np.concatenate([rng.normal(level, 0.02, 25) for level in levels])
    assert change_points(series) == pytest.approx([25, 50, 75], abs=1)


def test_noise_rarely_has_a_change_point(rng):
    found = sum(bool(change_points(rng.normal(0, 0.02, 40))) for _ in range(200))
    # 200 series at 1 %: more than 6 has a probability of 0.4 %.
    assert found <= 6


def test_a_single_outlier_is_no_change_point(rng):
    series = rng.normal(0, 0.02, 40)
    series[20] = 0.5
    assert change_points(series) == []


def test_a_shift_back_is_two_change_points(rng):
    series = rng.normal(0, 0.02, 60)
    series[20:40] += 0.2
    assert change_points(series) == [20, 40]


@pytest.mark.parametrize("series", [[], [1.0], [1.0] * 50, list(range(2 * FEWEST - 1))])
def test_a_series_that_is_short_or_constant_has_none(series):
    assert change_points(series) == []


def test_only_the_latest_points_of_a_long_series_count(rng):
    series = rng.normal(0, 0.01, LONGEST + 100)
    series[50:] += 1
    assert change_points(series) == []


def test_a_series_has_always_the_same_change_points(rng):
    series = rng.normal(0, 0.02, 80)
    series[33:] += 0.05
    assert change_points(series) == change_points(series)
