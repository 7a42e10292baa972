"""Comparison of two builds: pass, fail, inconclusive, not comparable."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ingest.comparison.compare import LEAST_HISTORY, compare, compare_with_baseline
from ingest.comparison.power import detectable, runs_needed
from ingest.comparison.results import Shortage, Status
from ingest.comparison.rules import RuleError, Rules, patterns
from tests.ingest.comparison.runs import PERIOD, drawn, pair


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(17)


def test_everything_half_as_slow_again_fails_though_no_share_changed(rng):
    result = compare(*pair(rng, 6, everything=0.5), Rules())
    assert result.status is Status.FAIL
    assert result.totals[0].growth == pytest.approx(0.5, abs=0.05)
    assert result.totals[0].low < 0.5 < result.totals[0].high
    shares = [one.new_share / one.base_share for one in result.functions if one.base_share > 0.02]
    assert shares == pytest.approx([1] * len(shares), abs=0.15)


def test_identical_builds_pass(rng):
    result = compare(*pair(rng, 6), Rules())
    assert result.status is Status.PASS
    assert (result.failures, result.method) == ((), "maxT")


def test_one_slow_function_fails_though_the_total_hides_it(rng):
    result = compare(*pair(rng, 15, slow=0.1, common=0.02), Rules())
    assert [one.measure.name for one in result.failures] == ["user.slow"]
    assert result.status is Status.FAIL


def test_a_faster_build_passes(rng):
    result = compare(*pair(rng, 6, everything=-0.3), Rules())
    assert result.status is Status.PASS
    assert result.totals[0].p_decline <= 0.01


def test_noisy_runs_are_inconclusive_and_state_how_many_are_needed(rng):
    result = compare(*pair(rng, 6, common=0.15), Rules())
    assert result.status is Status.INCONCLUSIVE
    assert result.totals[0].detectable > result.rules.asked
    assert result.runs_needed > 20


@pytest.mark.parametrize("sizes", [(1, 1), (1, 6), (6, 1), (2, 2), (2, 6)])
def test_fewer_than_three_runs_on_a_side_are_inconclusive(rng, sizes):
    base, new = pair(rng, 6, everything=0.5)
    result = compare(base[: sizes[0]], new[: sizes[1]], Rules(allowed=frozenset({"order"})))
    assert result.status is Status.INCONCLUSIVE
    assert result.runs_needed >= 6
    assert result.totals[0].growth == pytest.approx(0.5, abs=0.1)


def test_a_build_that_takes_more_than_twice_the_time_fails_without_known_work(rng):
    result = compare(*pair(rng, 3, everything=1.3, duration_seconds=6.9), Rules())
    assert result.status is Status.FAIL
    assert result.totals[0].growth == pytest.approx(1.3, abs=0.1)


def with_interrupts(runs, seconds):
    return [
        run._replace(costs=replace(run.costs, foreign=one * PERIOD))
        for run, one in zip(runs, seconds, strict=True)
    ]


def test_interrupts_of_the_machine_are_shown_and_fail_nothing(rng):
    base, new = pair(rng, 6)
    result = compare(
        with_interrupts(base, [40.0, 41, 40, 41, 40, 41]),
        with_interrupts(new, [90.0, 91, 90, 91, 90, 91]),
        Rules(),
    )
    assert result.status is Status.PASS
    assert result.foreign.growth > 1
    assert result.foreign not in (*result.totals, *result.functions)


def test_a_function_given_by_name_is_tested_alone_and_finds_less_growth(rng):
    alone, among_all = [], []
    for _ in range(8):
        base, new = pair(rng, 8, slow=0.1, own=0.045)
        for found, functions in ((alone, patterns(["slow"])), (among_all, ())):
            result = compare(base, new, Rules(functions=functions))
            found.append(
                next(
                    one.p_growth
                    for one in result.functions
                    if (one.measure.kind, one.measure.name) == ("inclusive", "user.slow")
                )
            )
    assert all(one <= of_all for one, of_all in zip(alone, among_all, strict=True))
    assert sum(one <= 0.01 for one in alone) >= 6
    assert sum(alone) < sum(among_all)


def test_a_function_that_no_run_has_is_an_error(rng):
    with pytest.raises(RuleError, match=r"slwo.*user\.slow"):
        compare(*pair(rng, 6), Rules(functions=patterns(["user.slwo"])))


def test_the_excluded_growth_is_above_the_true_one(rng):
    above = 0
    for _ in range(20):
        least = compare(*pair(rng, 6, everything=0.02), Rules(asked=None)).excluded
        above += least.totals > 0.02 and least.functions > 0.02
    # At 95 %: fewer than 16 of 20 has a probability of 0.3 %.
    assert above >= 16


def test_an_asked_growth_of_functions_is_found_excluded_or_inconclusive(rng):
    base, new = pair(rng, 6, own=0.3)
    assert compare(base, new, Rules(asked=None, asked_function=5.0)).status is Status.PASS
    result = compare(base, new, Rules(asked=None, asked_function=0.05))
    assert (result.status, result.shortage) == (Status.INCONCLUSIVE, Shortage.FUNCTION_NOISE)
    assert result.runs_needed is None or result.runs_needed > 6


def test_without_an_asked_growth_noisy_runs_pass_and_state_what_they_exclude(rng):
    result = compare(*pair(rng, 6, common=0.15), Rules(asked=None))
    assert result.status is Status.PASS
    assert result.excluded.totals > 0.1


def test_different_kernels_are_not_comparable_unless_allowed(rng):
    base, new = pair(rng, 6, kernel="6.2.0")
    assert compare(base, new, Rules()).status is Status.NOT_COMPARABLE
    assert compare(base, new, Rules(allowed=frozenset({"kernel"}))).status is Status.PASS


def test_work_turns_cost_into_cost_per_unit(rng):
    base, new = pair(rng, 6, everything=0.5, work=1.5)
    assert compare(base, new, Rules(), is_work_known=True).status is Status.PASS


def test_only_wanted_functions_are_tested(rng):
    rules = Rules(functions=patterns([r"user\.slow"]))
    result = compare(*pair(rng, 6, slow=0.3), rules)
    assert {one.measure.name for one in result.functions} == {"user.slow"}
    assert result.status is Status.FAIL


def test_a_pattern_that_is_none_is_an_error():
    with pytest.raises(RuleError, match="no regular expression"):
        patterns(["kernel.("])


def test_the_growth_called_detectable_is_found_in_about_nine_of_ten_cases(rng):
    size = np.median([compare(*pair(rng, 6), Rules()).totals[0].detectable for _ in range(5)])
    found = sum(compare(*pair(rng, 6, everything=size), Rules()).status is Status.FAIL for _ in range(40))
    # 40 cases at 0.9: fewer than 30 has a probability of 0.5 %; functions may find it too.
    assert found >= 30


def test_more_runs_detect_less_growth(rng):
    sizes = [compare(*pair(rng, count), Rules()).totals[0].detectable for count in (6, 15)]
    assert sizes[1] < sizes[0]


def test_the_runs_needed_detect_the_growth():
    needed = runs_needed(0.05, 0.0, 3.0, 0.1, 6)
    assert detectable(0.05 * np.sqrt(2 / needed), 2 * needed - 2, 3.0) <= 0.1
    assert detectable(0.05 * np.sqrt(2 / (needed - 1)), 2 * needed - 4, 3.0) > 0.1
    assert runs_needed(5.0, 0.0, 3.0, 0.1, 6) is None


def test_history_makes_few_runs_suffice(rng):
    history = [[drawn(rng, at) for at in range(6)] for _ in range(4)]
    base, new = pair(rng, 3, everything=0.08)
    alone = compare(base, new, Rules()).totals[0].detectable
    assert compare(base, new, Rules(), history=history).totals[0].detectable < alone


def points(rng, count, runs=4, between=0.02):
    """Return points of a baseline, each of several runs of another day."""
    found = []
    for day in range(count):
        shift = rng.lognormal(0, between) - 1
        start = 1e5 * day
        found.append([drawn(rng, start + at, everything=shift, host=f"ci-{day}") for at in range(runs)])
    return found


def today(rng, **changes):
    return [drawn(rng, 1e7 + at, host="ci-today", **changes) for at in range(4)]


def test_a_build_is_compared_with_ten_points_of_a_baseline(rng):
    slower = compare_with_baseline(points(rng, 12), today(rng, everything=0.5), Rules())
    assert (slower.status, slower.method) == (Status.FAIL, "Holm")
    same = compare_with_baseline(points(rng, 12), today(rng), Rules())
    assert same.status is Status.PASS


def test_a_baseline_of_fewer_points_is_inconclusive(rng):
    result = compare_with_baseline(points(rng, LEAST_HISTORY - 1), today(rng, everything=0.5), Rules())
    assert (result.status, result.shortage) == (Status.INCONCLUSIVE, Shortage.HISTORY)


def test_runs_of_one_day_do_not_stand_for_the_variation_between_days(rng):
    """A shift as large as days differ by is no growth, however little the runs of a day differ."""
    alarms = 0
    for _ in range(20):
        shift = rng.lognormal(0, 0.05) - 1
        result = compare_with_baseline(points(rng, 12, between=0.05), today(rng, everything=shift), Rules())
        alarms += result.status is Status.FAIL
    assert alarms <= 1


def test_a_baseline_of_another_kernel_is_not_comparable(rng):
    result = compare_with_baseline(points(rng, 12), today(rng, kernel="6.2.0"), Rules())
    assert result.status is Status.NOT_COMPARABLE
