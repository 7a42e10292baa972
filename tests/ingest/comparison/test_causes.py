"""Causes: one finding for a chain of callers, named by the function whose own time grew."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.comparison.callers import growth_below
from ingest.comparison.compare import compare
from ingest.comparison.results import Status
from ingest.comparison.rules import Rules
from tests.ingest.comparison.runs import interleaved, of_stacks

STACKS = {
    "main;serve;parse_rows;parse_field": 1400,
    "main;serve;parse_rows": 300,
    "main;serve;sort;compare": 900,
    "main;serve;sort": 1600,
    "main;serve;send;copy": 1200,
    "main;serve;log": 700,
    "main;serve;hash": 1500,
    "main;serve;format": 900,
    "main": 500,
}


def builds(changed, count=6, seed=3):
    """Return runs of both sides; `changed` maps stacks to the growth of their samples in the new build."""
    rng = np.random.default_rng(seed)

    def run(growth):
        return of_stacks(
            {
                stack: int(samples * (1 + growth.get(stack, 0)) * rng.lognormal(0, 0.01))
                for stack, samples in (STACKS | dict.fromkeys(growth, 0) | STACKS).items()
            }
            | {stack: int(size) for stack, size in growth.items() if stack not in STACKS}
        )

    ours, theirs = interleaved(count)
    return [run({}) for _ in ours], [run(changed) for _ in theirs]


def found(changed, **rules):
    base, new = builds(changed)
    return compare(base, new, Rules(**rules))


def bare(name):
    return name.partition(".")[2]


def test_callers_grow_by_what_their_callees_do():
    base, new = builds({"main;serve;parse_rows;parse_field": 1.0})
    runs, is_new = [*base, *new], [False] * 6 + [True] * 6
    callee = next(name for name in runs[0].costs.functions if name.endswith("parse_field"))
    below = growth_below([run.view for run in runs], [1.0] * 12, is_new, {callee})
    assert {bare(name) for name in below} == {"main", "serve", "parse_rows"}
    assert list(below.values()) == pytest.approx([1400] * 3, rel=0.05)


def test_a_chain_of_callers_is_one_finding_named_by_the_function_itself():
    result = found({"main;serve;parse_rows;parse_field": 0.5})
    assert result.status is Status.FAIL
    (cause,) = result.findings
    assert bare(cause.growth.measure.name) == "parse_field"
    assert cause.growth.measure.kind == "own"
    assert "parse_rows" in {bare(name) for name in cause.callers}


def test_two_causes_are_two_findings():
    result = found({"main;serve;parse_rows;parse_field": 0.5, "main;serve;hash": 0.5})
    assert {bare(one.growth.measure.name) for one in result.findings} == {"parse_field", "hash"}


def test_a_caller_that_grew_by_itself_is_a_cause():
    result = found({"main;serve;sort": 0.5})
    (cause,) = result.findings
    assert bare(cause.growth.measure.name) == "sort"


def test_work_that_moved_to_another_function_does_not_fail():
    result = found({"main;serve;hash": -1.0, "main;serve;hash_fast": 1500})
    assert result.status is Status.PASS
    (cause,) = result.findings
    assert bare(cause.growth.measure.name) == "hash_fast"
    assert cause.is_offset
    assert result.failures == ()


def test_a_small_growth_does_not_fail_however_significant():
    result = found(dict.fromkeys(STACKS, 0.05), least_growth=0.08)
    assert result.totals[0].p_growth <= 0.01
    assert result.status is Status.PASS
