"""`histogram`: measures, filters and units."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.model.histogram import Histogram
from ingest.model.reading import Quality
from signatures.judging.observation import State
from signatures.judging.predicates.histogram import share_above
from tests.signatures.build import ask

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


def test_a_histogram_with_another_unit_is_undecided():
    sizes = Histogram("@x", "bytes", (0.0,), (16.0,), (5,), (2,))
    test = "{histogram: {name: '@x', share_above: {value: 500 ms, at_least: 0.3}}}"
    (found,) = ask(test, histograms=[sizes])
    assert (found.state, found.reason) == (State.UNKNOWN, "unparsable: seconds cannot be compared with bytes")


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


def test_times_that_no_host_was_up_for_decide_nothing():
    lows, highs = (*HOLDS.lows, 2.0**63), (*HOLDS.highs, 2.0**64)
    wrapped = Histogram("@hold_us", "us", lows, highs, (*HOLDS.counts, 1.0), (1, 2, 3, 4))
    for measure in ({"max_bucket_at_least": "10 s"}, {"share_above": {"value": "1 s", "at_least": 0.5}}):
        (found,) = ask({"histogram": {"name": "@hold_us", **measure}}, histograms=[wrapped])
        assert found.state is State.UNKNOWN
