"""Recordings that differ in more than the build are not comparable."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ingest.comparison.comparability import KINDS, comparability
from tests.ingest.comparison.runs import drawn, of_stacks, pair


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def check(base, new, *, allowed=(), is_work_known=False):
    runs = [*base, *new]
    return comparability(
        [run.costs for run in base],
        [run.costs for run in new],
        [run.work for run in runs],
        is_work_known=is_work_known,
        allowed=allowed,
    )


def kinds(found):
    return [one.kind for one in found.differences]


def test_interleaved_runs_of_one_machine_are_comparable(rng):
    found = check(*pair(rng, 6))
    assert (found.differences, found.unknown, found.prevents) == ((), (), False)


@pytest.mark.parametrize(
    ("kind", "conditions"),
    [
        ("host", {"host": "ci-2"}),
        ("kernel", {"kernel": "6.1.1"}),
        ("cpu", {"cpu_model": "Y"}),
        ("cpus", {"cpus": 8}),
        ("frequency", {"frequency_hz": 99.0}),
        ("lost", {"losses": ("new-1: perf lost 12 events",)}),
    ],
)
def test_a_difference_prevents_comparison_unless_it_is_allowed(rng, kind, conditions):
    base, new = pair(rng, 3, **conditions)
    assert kinds(check(base, new)) == [kind]
    assert check(base, new).prevents
    assert not check(base, new, allowed=(kind,)).prevents
    assert kind in KINDS


def test_one_run_of_another_kernel_among_its_own_side_is_found(rng):
    base, new = pair(rng, 3)
    new[1] = drawn(rng, new[1].costs.conditions.started_at, kernel="6.1.1")
    (found,) = check(base, new).differences
    assert found.sentence == "different kernels: 6.1.0, 6.1.1"


@pytest.mark.parametrize("change", [{"event": "cycles"}, {"unit": "samples"}])
def test_another_event_or_unit_cannot_be_allowed(rng, change):
    base, new = pair(rng, 3)
    new = [run._replace(costs=replace(run.costs, **change)) for run in new]
    assert check(base, new, allowed=KINDS).prevents


def test_runs_one_after_the_other_are_not_interleaved(rng):
    runs = [drawn(rng, at) for at in range(12)]
    assert kinds(check(runs[:6], runs[6:])) == ["order"]
    assert kinds(check(runs[::2], runs[1::2])) == []


def test_the_length_of_runs_decides_only_where_their_cpu_time_is_not_measured(rng):
    base, new = pair(rng, 3, duration_seconds=6.5)
    (note,) = check(base, new).notes
    assert not check(base, new).differences
    assert "--work" in note
    assert not check(base, new, is_work_known=True).notes
    counted = [
        [run._replace(costs=replace(run.costs, unit="samples")) for run in side] for side in (base, new)
    ]
    assert kinds(check(*counted)) == ["duration"]
    assert not check(*counted, allowed=("duration",)).prevents
    clocked = [
        [run._replace(costs=replace(run.costs, counters={"task-clock": 3.0})) for run in side]
        for side in counted
    ]
    assert kinds(check(*clocked)) == []


def test_with_known_work_the_work_is_compared_not_the_duration(rng):
    base, new = pair(rng, 3, duration_seconds=6.5)
    assert kinds(check(base, new, is_work_known=True)) == []
    base, new = pair(rng, 3, work=3.0)
    assert kinds(check(base, new, is_work_known=True)) == ["work"]


def test_a_slowdown_by_half_does_not_make_runs_incomparable(rng):
    assert check(*pair(rng, 3, everything=0.5, duration_seconds=4.5)).differences == ()


def test_what_recordings_do_not_state_is_unknown():
    found = check([of_stacks({"main": 3})], [of_stacks({"main": 4})])
    assert found.differences == ()
    assert set(found.unknown) == {"host", "kernel", "cpu", "cpus", "frequency", "order"}
