"""Costs of a run: CPU time by function, counters, conditions."""

from __future__ import annotations

import pytest

from ingest.comparison.costs import costs
from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.selection import Selection
from ingest.native.views import View
from tests.ingest.comparison.runs import of_stacks
from tests.ingest.samples import lines_of, whole

HEADER = "perf-script/memcg-reclaim.header.txt"


@pytest.fixture(scope="module")
def recorded():
    reading = whole(HEADER)
    return costs(View(reading.profiles[0], Selection(has_idle=False)), reading.facts)


def test_cost_is_cpu_time_where_periods_are_printed(recorded):
    assert recorded.unit == "ns"
    assert recorded.weight == pytest.approx(recorded.samples / 99 * 1e9, rel=0.001)


def test_conditions_are_those_of_the_header(recorded):
    conditions = recorded.conditions
    assert conditions.kernel == "6.18.44-fc-v669"
    assert (conditions.host, conditions.cpu_model, conditions.cpus) == ("vm", "AMD EPYC", 2)
    assert conditions.frequency_hz == 99
    assert conditions.started_at == pytest.approx(1038.279013)


def test_a_function_has_own_and_total_cost_and_its_first_line(recorded):
    found = recorded.functions["kernel.shrink_lruvec"]
    assert 0 <= found.own < found.total <= recorded.weight
    text = lines_of(HEADER)
    assert "shrink_lruvec" in text[found.line - 1]
    assert "shrink_lruvec" not in "".join(text[: found.line - 1])


def test_idle_samples_cost_nothing():
    run = of_stacks({"main;work": 30, "swapper;do_idle;native_safe_halt": 70})
    assert run.costs.samples == 30


def test_a_recursive_function_counts_once():
    run = of_stacks({"main;walk;walk;walk": 10, "main;walk": 5})
    (walk,) = [cost for name, cost in run.costs.functions.items() if name.endswith(".walk")]
    assert (walk.own, walk.total) == (15, 15)


def test_builds_have_one_name_for_a_function():
    names = [
        set(of_stacks({f"main;{name}": 1}).costs.functions) for name in ("copy.isra.0", "copy.constprop.1")
    ]
    assert names[0] == names[1]


def test_without_periods_cost_is_counted_in_samples():
    assert of_stacks({"main": 3}).costs.unit == "samples"


def test_counters_are_those_of_perf_stat():
    view = of_stacks({"main": 3}).view
    facts = [
        Fact("perf.stat.instructions_u", 5e9, Lines.at(1), "count"),
        Fact("perf.stat.task_clock_ms", 2400.0, Lines.at(2), "ms"),
        Fact("perf.stat.page_faults", 3.0, Lines.at(3), "count"),
    ]
    assert costs(view, facts).counters == {"instructions:u": 5e9, "task-clock": 2400.0}
