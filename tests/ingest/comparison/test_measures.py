"""Measures: which functions are measured, per unit of work."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.comparison.measures import MOST_HISTORY, matrix
from tests.ingest.comparison.runs import drawn, of_stacks


def names(found):
    return {(one.kind, one.name) for one in found.measures}


def of(found, kind, name):
    return found.values[:, [(one.kind, one.name) for one in found.measures].index((kind, name))]


def test_costs_are_per_unit_of_work():
    runs = [of_stacks({"main;slow": 600, "main": 400}), of_stacks({"main;slow": 1200, "main": 800})]
    found = matrix([run.costs for run in runs], [10, 20])
    assert of(found, "total", "cpu").tolist() == [100, 100]
    slow = next(one.name for one in found.measures if one.name.endswith(".slow"))
    assert of(found, "own", slow).tolist() == [60, 60]


def test_small_functions_are_counted_not_measured():
    runs = [of_stacks({"main;big": 990, "main;small": 4, "main;tiny": 1})] * 2
    found = matrix([run.costs for run in runs], [1, 1])
    assert not any(name.endswith("small") for _, name in names(found))
    assert found.skipped == 2


def test_a_function_of_one_build_alone_is_measured():
    runs = [of_stacks({"main": 1000}), of_stacks({"main": 900, "main;added": 100})]
    found = matrix([run.costs for run in runs], [1, 1])
    added = next(one.name for one in found.measures if one.name.endswith(".added"))
    assert of(found, "own", added).tolist() == [0, 100]
    assert np.all(np.isfinite(found.measured.logs))


def test_counters_count_where_every_run_has_them():
    run = drawn(np.random.default_rng(1), 0.0).costs
    counted = [_with(run, {"instructions:u": 5e9, "task-clock": 1e3}), _with(run, {"instructions:u": 6e9})]
    assert names(matrix(counted, [1, 1])) >= {("total", "instructions:u")}
    assert ("total", "task-clock") not in names(matrix(counted, [1, 1]))
    assert ("total", "instructions:u") not in names(matrix(counted, [1, 1], has_counters=False))


def test_history_is_the_variation_inside_sessions_and_counts_for_little():
    rng = np.random.default_rng(2)
    sessions = [
        ([drawn(rng, 0.0, everything=shift).costs for _ in range(11)], [1.0] * 11) for shift in (0, 1)
    ]
    runs = [drawn(rng, 0.0).costs for _ in range(4)]
    found = matrix(runs, [1.0] * 4, history=sessions)
    assert found.measured.history.degrees == MOST_HISTORY
    deviation = np.sqrt(found.measured.history.squares[0] / MOST_HISTORY)
    assert deviation == pytest.approx(0.015, abs=0.01)


def test_a_single_earlier_run_is_no_history():
    run = drawn(np.random.default_rng(2), 0.0).costs
    assert matrix([run, run], [1, 1], history=[([run], [1.0])]).measured.history is None


def _with(run, counters):
    from dataclasses import replace

    return replace(run, counters=counters)
