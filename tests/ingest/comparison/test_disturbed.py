"""Disturbed runs do not count, and cannot hide a slow build."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.comparison.compare import compare
from ingest.comparison.disturbed import undisturbed
from ingest.comparison.results import Shortage, Status
from ingest.comparison.rules import Rules
from tests.ingest.comparison.runs import drawn, interleaved, pair


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(31)


def halves(runs):
    return np.arange(runs) >= runs // 2


def with_disturbed(rng, base=(), new=(), **changes):
    """Return a pair of 6 + 6 runs in which some, by position, took twice as long."""
    ours, theirs = interleaved(6)
    slow = {True: 1.0, False: 0.0}
    return (
        [drawn(rng, at, everything=slow[number in base]) for number, at in enumerate(ours)],
        [
            drawn(rng, at, everything=slow[number in new] or changes.get("everything", 0.0))
            for number, at in enumerate(theirs)
        ],
    )


def test_a_run_far_from_its_side_is_disturbed():
    logs = np.log([2.5, 2.51, 2.49, 2.52, 2.5, 5.0, 2.6, 2.61, 2.59, 2.6, 2.62, 2.6])
    assert np.flatnonzero(~undisturbed(logs, halves(12))).tolist() == [5]


def test_a_slow_build_is_not_disturbed():
    logs = np.log([2.5, 2.51, 2.49, 2.52, 2.5, 2.5, 5.0, 5.01, 4.99, 5.02, 5.0, 5.0])
    assert undisturbed(logs, halves(12)).all()


def test_at_most_a_third_of_a_side_is_disturbed():
    logs = np.log([2.5, 2.51, 2.49, 2.5, 2.5, 4.0, 5.0, 6.0, 7.0, *[2.5, 2.51, 2.49] * 3])
    assert np.flatnonzero(~undisturbed(logs, halves(18))).tolist() == [6, 7, 8]


def test_of_few_runs_none_is_disturbed():
    assert undisturbed(np.log([2.5, 2.5, 2.5, 2.5, 9.0, 2.5]), halves(6)).all()


def test_noise_alone_rarely_disturbs(rng):
    found = [~undisturbed(rng.normal(0, 0.03, 12), halves(12)) for _ in range(300)]
    assert np.mean(found) < 0.01


def test_a_disturbed_run_does_not_hide_a_slow_build(rng):
    base, new = with_disturbed(rng, base=(2,), new=(4,), everything=0.12)
    result = compare(base, new, Rules())
    assert result.status is Status.FAIL
    assert result.disturbed == ((2,), (4,))
    assert result.totals[0].growth == pytest.approx(0.12, abs=0.03)


def test_a_disturbed_run_does_not_make_identical_builds_inconclusive(rng):
    assert compare(*with_disturbed(rng, base=(1,)), Rules()).status is Status.PASS
    assert compare(*with_disturbed(rng, new=(1,)), Rules()).status is Status.PASS


def test_a_build_that_is_slow_now_and_then_does_not_pass(rng):
    result = compare(*with_disturbed(rng, new=(1, 4)), Rules())
    assert (result.status, result.shortage) == (Status.INCONCLUSIVE, Shortage.DISTURBED)


def test_alarms_of_disturbed_identical_builds_are_as_rare(rng):
    alarms = 0
    for _ in range(150):
        base, new = pair(rng, 6)
        runs = [*base, *new]
        for at in rng.choice(12, rng.integers(4), replace=False):
            runs[at] = drawn(rng, runs[at].costs.conditions.started_at, everything=rng.uniform(0.3, 1.5))
        alarms += compare(runs[:6], runs[6:], Rules(alpha=0.05)).status is Status.FAIL
    # 150 pairs at 5 %: more than 14 has a probability of 1.4 %.
    assert alarms <= 14
