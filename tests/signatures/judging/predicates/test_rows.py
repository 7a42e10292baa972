"""`rows`: rates, extremes, filters and groups."""

from __future__ import annotations

import pytest

from ingest.model.reading import Quality
from signatures.judging.observation import State
from tests.signatures.build import ask, rows


def test_rows_have_a_rate_only_over_a_known_time():
    test = {"rows": {"set": "s", "expr": "rate_per_minute()", "at_least": 1000, "min_duration": "5 s"}}
    many = [(1.0,)] * 200
    assert ask(test, row_sets=[rows("s", "inode", *many, duration=6.0)])[0].state is State.TRUE
    few = rows("s", "inode", (1.0,), (1.0,), duration=0.0)
    assert ask(test, row_sets=[few])[0].state is State.UNKNOWN
    assert ask(test, row_sets=[rows("s", "inode", *many)])[0].state is State.UNKNOWN


def test_rows_within_one_second_are_a_lower_bound_of_the_rate():
    test = {"rows": {"set": "s", "expr": "rate_per_minute()", "at_least": 1000, "min_duration": "5 s"}}
    burst = rows("s", "inode", *[(1.0,)] * 400, duration=0.0)
    (found,) = ask(test, row_sets=[burst])
    assert (found.state, found.observed) == (State.TRUE, 400 / 5 * 60)
    cut = ask(test, row_sets=[burst], quality=[Quality("excerpt", "no banner", 1)])
    assert cut[0].state is State.TRUE
    below = {"rows": {"set": "s", "expr": "rate_per_minute()", "at_most": 10000, "min_duration": "5 s"}}
    assert ask(below, row_sets=[burst])[0].state is State.UNKNOWN


def test_filtered_rows_have_extremes_but_no_rates():
    quality = [Quality("filtered", "egrep", 1)]
    sets = [rows("s", "duration_us", (2e6,), (3e6,), duration=60.0)]
    rate = {"rows": {"set": "s", "expr": "rate_per_minute()", "at_least": 1}}
    longest = {"rows": {"set": "s", "expr": "max(duration_us)", "at_least": "1 s"}}
    assert ask(rate, row_sets=sets, quality=quality)[0].state is State.UNKNOWN
    assert ask(longest, row_sets=sets, quality=quality)[0].state is State.TRUE


def test_where_keeps_rows_that_meet_a_bound_together():
    test = {
        "rows": {
            "set": "s",
            "where": {"duration_us": {"at_least": "1 s"}},
            "expr": "max(calls)",
            "at_least": 1,
        }
    }
    apart = rows("s", "duration_us calls", (2e6, 0.0), (10.0, 13.0))
    together = rows("s", "duration_us calls", (2e6, 13.0), (10.0, 0.0))
    assert ask(test, row_sets=[apart])[0].state is State.FALSE
    assert ask(test, row_sets=[together])[0].state is State.TRUE


def test_rows_of_two_processes_give_two_results():
    test = {"rows": {"set": "s", "expr": "max(duration_us)", "at": "$p", "at_least": "1 s"}}
    found = ask(test, row_sets=[rows("s", "pid duration_us", (1.0, 2e6), (2.0, 5.0))])
    assert {s.process: s.state for s in found} == {"1": State.TRUE, "2": State.FALSE}


@pytest.mark.parametrize(("targets", "state"), [([88] * 120, State.TRUE), ([88, 90] * 60, State.FALSE)])
def test_rows_are_grouped_by_columns(targets, state):
    test = {"rows": {"set": "s", "by": ["old", "new"], "expr": "rate_per_minute()", "at_least": 1000}}
    moved = rows("s", "old new", *((22438.0, float(new)) for new in targets), duration=6.0)
    found = ask(test, row_sets=[moved])
    assert (state is State.TRUE) == (State.TRUE in {each.state for each in found})
