"""Family-wise error of a comparison, by permutation of whole runs and by Holm's method."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ingest.comparison.contrast import History, Measured, contrast
from ingest.comparison.family_wise import can_permute, judged
from ingest.comparison.labellings import MOST, labellings

FUNCTIONS = 40
TOTALS = 1


def measured(generator, runs, growth=(), deviation=0.03, history=None):
    """One total and functions whose runs also share a factor; `growth` by measure for the second half."""
    common = generator.normal(0, 0.02, (runs, 1))
    logs = common + generator.normal(0, deviation, (runs, TOTALS + FUNCTIONS))
    for at, size in growth:
        logs[runs // 2 :, at] += np.log1p(size)
    samples = np.concatenate([[np.inf], np.full(FUNCTIONS, 300.0)])
    return Measured(logs, samples, np.arange(TOTALS + FUNCTIONS) < TOTALS, history)


def halves(runs):
    return np.arange(runs) >= runs // 2


def test_labellings_are_all_of_one_size_the_observed_first():
    found = labellings(np.array([False, True, False, True, False]))
    assert len(found) == 10
    assert found[0].tolist() == [False, True, False, True, False]
    assert {tuple(np.flatnonzero(row)) for row in found} == set(combinations(range(5), 2))


def test_many_labellings_are_sampled_and_always_the_same():
    is_new = halves(30)
    found = labellings(is_new)
    assert len(found) == MOST
    assert np.array_equal(found[0], is_new)
    assert np.all(found.sum(axis=1) == 15)
    assert np.array_equal(found, labellings(is_new))


def test_permutation_needs_six_runs_on_each_side():
    assert can_permute(12, 6, 0.01)
    assert not can_permute(10, 5, 0.01)
    assert can_permute(14, 4, 0.01)


def test_a_contrast_is_the_difference_of_mean_logarithms(rng):
    data = measured(rng, 12)
    found = contrast(data, halves(12)[None, :])
    assert found.growth[0] == pytest.approx(data.logs[6:].mean(axis=0) - data.logs[:6].mean(axis=0))
    pooled = (data.logs[6:, 0].var(ddof=1) + data.logs[:6, 0].var(ddof=1)) / 2
    assert found.error[0, 0] == pytest.approx(np.sqrt(pooled / 3), rel=1e-4)
    assert found.degrees[0, 0] == 10


def test_history_adds_degrees_of_freedom(rng):
    data = measured(rng, 6)
    history = History(np.full(TOTALS + FUNCTIONS, 20 * 0.05**2), 20.0)
    found = contrast(data._replace(history=history), halves(6)[None, :])
    assert found.degrees[0, 0] == 24
    assert 0.03 < found.error[0, 0] / np.sqrt(2 / 3) < 0.06


@pytest.mark.parametrize(("runs", "method"), [(6, "Holm"), (12, "maxT")])
def test_identical_builds_rarely_have_any_significant_measure(rng, runs, method):
    alarms = 0
    for _ in range(150):
        found = judged(measured(rng, runs), halves(runs), 0.05)
        assert found.method == method
        alarms += bool((found.p_growth <= 0.05).any())
    # 150 pairs at 5 %: more than 14 has a probability of 1.4 %.
    assert alarms <= 14


def test_a_growth_of_one_function_is_found_and_the_others_are_not(rng):
    found = judged(measured(rng, 12, [(5, 0.3)]), halves(12), 0.01)
    assert np.flatnonzero(found.p_growth <= 0.01).tolist() == [5]
    assert found.growth[5] == pytest.approx(np.log(1.3), abs=0.1)


def test_a_decline_is_no_growth(rng):
    found = judged(measured(rng, 12, [(5, -0.3)]), halves(12), 0.01)
    assert found.p_growth[5] == 1
    assert found.p_decline[5] <= 0.01


def test_with_three_runs_a_large_growth_is_found(rng):
    found = judged(measured(rng, 6, [(at, 0.5) for at in range(TOTALS + FUNCTIONS)]), halves(6), 0.01)
    assert found.method == "Holm"
    assert (found.p_growth <= 0.01).sum() > FUNCTIONS // 2


def test_the_critical_value_separates_significant_measures(rng):
    grown = [(at, 0.02 * at) for at in range(TOTALS + FUNCTIONS)]
    found = judged(measured(rng, 12, grown), halves(12), 0.01)
    significant = found.p_growth <= 0.01
    assert significant.any()
    assert not significant.all()
    sizes = found.growth / found.error
    assert sizes[significant].min() > sizes[~significant].max() - 1


def test_runs_that_never_differ_give_no_error_of_zero():
    logs = np.zeros((12, 1))
    logs[6:] = 1e-7
    found = judged(Measured(logs, np.array([np.inf]), np.array([True])), halves(12), 0.01)
    assert found.growth[0] / found.error[0] < 1


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)
