"""Trend of a baseline: one value a point, per unit of work, and its change points."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.comparison.trend import trend
from tests.ingest.comparison.runs import drawn, of_stacks


def test_a_shift_is_a_change_point_with_its_growth():
    rng = np.random.default_rng(4)
    points = [[drawn(rng, at, everything=0.2 if at >= 12 else 0) for _ in range(3)] for at in range(20)]
    found = trend(points)
    (change,) = found.changes
    assert change.at == 12
    assert change.growth == pytest.approx(0.2, abs=0.02)


def test_values_are_per_unit_of_work():
    assert trend(
        [[of_stacks({"main": 300}, work=3), of_stacks({"main": 300}, work=3)]]
    ).values == pytest.approx([100])


def test_a_function_has_a_trend_and_gaps_where_it_is_not_there():
    points = [[of_stacks({"main;slow": 30})], [of_stacks({"main": 30})], [of_stacks({"main;slow": 60})]]
    slow = next(name for name in points[0][0].costs.functions if name.endswith("slow"))
    assert trend(points, slow).values == (pytest.approx(30), None, pytest.approx(60))
