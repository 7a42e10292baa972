"""The measurement of false alarms and detection: pairs, intervals, and verdicts on a part of the runs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.gate import pairs, simulation
from benchmarks.gate.intervals import exact
from benchmarks.gate.record import EVERYTHING, LOADS, sessions
from benchmarks.gate.verdicts import judge


@pytest.fixture(scope="module")
def recorded():
    return [session for session in sessions() if session.load == LOADS[0]][:2]


@pytest.mark.parametrize(
    ("found", "of", "low", "high"),
    # As scipy.stats.binomtest has them.
    [(0, 20, 0.0, 0.16843), (1, 20, 0.00127, 0.24873), (20, 20, 0.83157, 1.0)],
)
def test_intervals_are_those_of_clopper_and_pearson(found, of, low, high):
    assert exact(found, of) == pytest.approx((low, high), abs=1e-4)


def test_disjoint_pairs_share_no_run_and_drawn_ones_are_in_turn(recorded):
    seen = [id(run) for pair in pairs.disjoint_identical(recorded, 6) for side in pair for run in side]
    assert len(seen) == len(set(seen))
    for pair in pairs.drawn_identical(recorded, 6, 2):
        starts = (
            [run.conditions.started_at for run in pair.base],
            [run.conditions.started_at for run in pair.new],
        )
        assert starts[0][0] < starts[1][0] < starts[0][-1]


def test_slower_pairs_have_the_slower_build_as_new(recorded):
    chosen = list(pairs.disjoint_slower(recorded, EVERYTHING, 6))
    growth = [
        np.median([run.weight for run in pair.new]) / np.median([run.weight for run in pair.base])
        for pair in chosen
    ]
    assert np.median(growth) == pytest.approx(1.1, abs=0.05)


def test_builds_that_are_slower_fail_and_identical_ones_do_not(recorded):
    identical = judge("identical", LOADS[0], pairs.disjoint_identical(recorded, 6), None, is_disjoint=True)
    slower = judge(
        "everything", LOADS[0], pairs.disjoint_slower(recorded, EVERYTHING, 6), None, is_disjoint=True
    )
    assert identical.failed == 0
    assert slower.failed >= slower.pairs / 2


def test_simulated_runs_have_the_variation_of_the_recorded_ones(recorded):
    noise = simulation.fitted([session.unchanged for session in recorded])
    drawn = np.stack([measured.logs[0] for measured, _ in simulation.identical(noise, 2, 400)])
    wanted = np.sqrt((noise.root**2).sum(axis=1))
    assert np.median(drawn.std(axis=0) / wanted) == pytest.approx(1.0, abs=0.15)
