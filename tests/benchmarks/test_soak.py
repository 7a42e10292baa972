"""The soak test calls what grows by its name, and counts nothing but faults as faults."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from benchmarks.soak import report, resources
from benchmarks.soak.resources import Sample


def run_of(memory_mib: list[float]) -> list[Sample]:
    return [Sample(at * 10.0, "api", value, 40, 12, 1) for at, value in enumerate(memory_mib)]


def growth_of(memory_mib: list[float], figure: str = "memory_mib") -> resources.Growth:
    return next(one for one in resources.growths(run_of(memory_mib)) if one.figure == figure)


def test_a_leak_is_not_flat():
    assert not growth_of([100.0 + 5 * at for at in range(40)]).is_flat


def test_caches_that_fill_at_the_start_are_flat():
    assert growth_of([100.0, 150, 200, 220, 230] + [240.0] * 35).is_flat


def test_one_peak_is_shown_and_does_not_count_as_growth():
    growth = growth_of([100.0] * 30 + [400.0] + [100.0] * 9)
    assert (growth.is_flat, growth.peak) == (True, 400.0)


def test_a_run_too_short_to_judge_says_so():
    with pytest.raises(ValueError, match="too short"):
        resources.growths(run_of([100.0, 100.0]))


def test_refusals_are_no_errors():
    answers = Counter({("burst", "503"): 7, ("reader", "404"): 3, ("ci", "500"): 2, ("ci", "judged"): 9})
    assert report.failures(answers) == {"ci: 500": 2}


def test_a_sample_counts_the_descendants_of_a_process():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        (sample,) = resources.take(0.0, {"test": os.getpid()})
        assert child.stdin is not None
        child.stdin.close()
    assert sample.processes >= 2
    assert sample.memory_mib > 1
