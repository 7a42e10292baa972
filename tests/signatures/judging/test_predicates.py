from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.model.histogram import Histogram
from ingest.model.profile import Symbol, SymbolTable
from ingest.model.reading import Quality, Reading
from signatures.judging.observation import State
from signatures.judging.observe import observe_reading
from signatures.judging.predicates.histograms import share_above
from signatures.language.condition_parser import test_of as build
from tests.signatures.build import log, profile, rows


def ask(test, **parts):
    return observe_reading(
        build("f", "c", test), Reading(**{name: tuple(value) for name, value in parts.items()})
    )


def table(*shares, has_header=True):
    symbols = tuple(
        Symbol(f"f{at}", share, None, "", "kernel", "", at + 1) for at, share in enumerate(shares)
    )
    return SymbolTable("cpu-clock", symbols, None, None, has_header)


def test_the_unlisted_share_bounds_absent_functions():
    test = {"symbol": {"any": ["absent"]}, "share": {"at_least": 0.05}}
    assert ask(test, tables=[table(0.60, 0.3885)])[0].state is State.FALSE
    assert ask(test, tables=[table(0.60)])[0].state is State.UNKNOWN


def test_shares_of_several_symbols_add_up():
    (found,) = ask({"symbol": {"any": ["f0", "f1"]}, "share": {"at_least": 0.9}}, tables=[table(0.64, 0.29)])
    assert found.observed == pytest.approx(0.93)


def test_a_table_without_header_is_capped():
    (found,) = ask(
        {"symbol": {"any": ["f0"]}, "share": {"at_least": 0.4}}, tables=[table(0.67, has_header=False)]
    )
    assert found.caps


HOLDS = Histogram(
    "@hold_us", "us", (0.0, 1024.0, 2.0**27), (1024.0, 2048.0, 2.0**28), (214_000.0, 847.0, 4.0), (1, 2, 3)
)


def test_the_time_share_shows_what_percentiles_miss():
    by_percentile = {"histogram": {"name": "@hold_us", "percentile": {"p": 99.9, "at_least": "1 s"}}}
    by_time = {"histogram": {"name": "@hold_us", "time_share_above": {"value": "1 s", "at_least": 0.5}}}
    assert ask(by_percentile, histograms=[HOLDS])[0].state is State.FALSE
    assert ask(by_time, histograms=[HOLDS])[0].state is State.TRUE


def test_the_highest_bucket_is_cited():
    (found,) = ask({"histogram": {"name": "@hold_us", "max_bucket_at_least": "10 s"}}, histograms=[HOLDS])
    assert (found.state, found.citations[0].first_line) == (State.TRUE, 3)


def test_another_histogram_is_ignored():
    assert ask({"histogram": {"name": "@latency_us", "max_bucket_at_least": "1 s"}}, histograms=[HOLDS]) == ()


@pytest.mark.parametrize(
    ("measure", "state"),
    [
        ({"percentile": {"p": 50, "below": "1 s"}}, State.UNKNOWN),
        ({"share_above": {"value": "1 s", "at_least": 0.5}}, State.UNKNOWN),
        ({"time_share_above": {"value": "1 s", "at_least": 0.5}}, State.UNKNOWN),
        ({"max_bucket_at_least": "10 s"}, State.TRUE),
        ({"max_bucket_at_least": "1000 s"}, State.UNKNOWN),
    ],
)
def test_a_filtered_histogram_supports_only_its_highest_bucket(measure, state):
    """Behind a grep shares and percentiles are gone, and a high bucket is still there."""
    test = {"histogram": {"name": "@hold_us", **measure}}
    (found,) = ask(test, histograms=[HOLDS], quality=[Quality("filtered", "grep", 1)])
    assert found.state is state
    (whole,) = ask(test, histograms=[HOLDS])
    assert whole.state is not State.UNKNOWN


def test_a_histogram_without_unit_decides_nothing():
    plain = Histogram("@hold_us", "", (0.0,), (10.0,), (5.0,), (1,))
    assert (
        ask({"histogram": {"name": "@hold_us", "max_bucket_at_least": "1 s"}}, histograms=[plain])[0].state
        is State.UNKNOWN
    )


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=20), st.floats(0, 2e6), st.booleans())
def test_the_middle_lies_between_the_bounds(counts, value, by_time):
    lows = tuple(float(2**at) for at in range(len(counts)))
    histogram = Histogram(
        "@x_us",
        "us",
        lows,
        tuple(low * 2 for low in lows),
        tuple(map(float, counts)),
        tuple(range(len(counts))),
    )
    low, high, middle = share_above(histogram, value, by_time=by_time)
    assert low - 1e-9 <= middle <= high + 1e-9
    assert not math.isnan(middle)


def test_rows_have_a_rate_only_over_a_known_time():
    test = {"rows": {"set": "s", "expr": "rate_per_minute()", "at_least": 1000, "min_duration": "5 s"}}
    many = [(1.0,)] * 200
    assert ask(test, row_sets=[rows("s", "inode", *many, duration=6.0)])[0].state is State.TRUE
    assert ask(test, row_sets=[rows("s", "inode", *many, duration=0.0)])[0].state is State.UNKNOWN
    assert ask(test, row_sets=[rows("s", "inode", *many)])[0].state is State.UNKNOWN


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


def test_a_missing_log_record_is_unknown_unless_the_log_covers_the_capture():
    test = {"log": {"class": "oom_kill", "at_most": 0, "needs_coverage": True}}
    assert ask(test, log_records=[log("other")])[0].state is State.UNKNOWN
    assert ask(test, log_records=[log("oom_kill")])[0].state is State.FALSE


def test_the_largest_field_of_the_right_record_counts():
    test = {
        "log": {
            "class": "workqueue_hogged",
            "fields": {"function": "work_fn"},
            "max": "count",
            "at_least": 4,
            "strong": 64,
        }
    }
    found = ask(test, log_records=[log("workqueue_hogged", function="work_fn", count=4.0),
                                   log("workqueue_hogged", function="other_fn", count=99.0)])  # fmt: skip
    assert (found[0].observed, found[0].strength) == (4.0, 0.5)


SEQUENCE = {
    "sequence": {
        "first": {"contains": ["show"], "run": 3},
        "then": {"comm": ["ksoftirqd/*"], "contains": ["rx"]},
    }
}
SHOW, RX, OTHER = ("u_c;show", 1, "cadvisor", 1), ("kthread;rx", 1, "ksoftirqd/11", 2), ("x;y", 1, "other", 3)


@pytest.mark.parametrize(
    ("order", "state"),
    [
        ([SHOW, SHOW, SHOW, RX], State.TRUE),
        ([SHOW, SHOW, RX], State.UNKNOWN),
        ([RX, SHOW, SHOW, SHOW], State.UNKNOWN),
        ([SHOW, SHOW, SHOW, OTHER, RX], State.UNKNOWN),
    ],
)
def test_a_sequence_is_a_run_directly_followed(order, state):
    assert ask(SEQUENCE, profiles=[profile(order)])[0].state is state


def test_samples_of_another_cpu_do_not_interrupt_a_sequence():
    prof = profile([SHOW, OTHER, SHOW, SHOW, RX], cpus=[11, 3, 11, 11, 11])
    assert ask(SEQUENCE, profiles=[prof])[0].state is State.TRUE


def test_samples_without_a_cpu_belong_to_every_lane():
    prof = profile([SHOW, SHOW, SHOW, RX], cpus=[-1, -1, -1, 11])
    assert ask(SEQUENCE, profiles=[prof])[0].state is State.TRUE


def test_unordered_samples_have_no_sequence():
    assert ask(SEQUENCE, profiles=[profile([SHOW, SHOW, SHOW, RX], ordered=False)]) == ()
