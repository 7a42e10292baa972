"""What is read off a histogram is what counting value by value gives, as far as buckets tell."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.export.distribution import distribution
from ingest.model.histogram import Histogram
from ingest.model.section import Text
from ingest.readers.bpf import bpftrace_text

SAMPLE = Path("tests/data/published/vanishing-cpu/bpftrace-mmap_lock-hold.txt")


def histogram(lows, highs, counts, unit="us"):
    lines = tuple(range(1, len(lows) + 1))
    return Histogram("@hold_us", unit, tuple(lows), tuple(highs), tuple(map(float, counts)), lines)


@given(st.lists(st.integers(0, 200), min_size=1, max_size=60))
def test_shares_and_percentiles_are_those_of_the_values(values):
    edges = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256]
    buckets = list(itertools.pairwise(edges))
    counts = [sum(low <= value < high for value in values) for low, high in buckets]
    told = distribution(histogram(*zip(*buckets, strict=True), counts))
    assert told["scale"] == "log2"
    assert told["count"] == len(values)
    for share, reached in zip(told["shares"], counts, strict=True):
        assert share == pytest.approx(reached / len(values), abs=1e-9)
    ordered = sorted(values)
    for percentile in told["percentiles"]:
        value = ordered[math.ceil(percentile["share"] * len(values)) - 1]
        assert percentile["low"] <= value < percentile["high"]
    assert told["sum"]["low"] <= sum(values) <= told["sum"]["high"]
    assert sum(told["sum_shares"]) == pytest.approx(1, abs=1e-6)


def test_an_open_bucket_has_no_end_and_leaves_the_sum_open():
    told = distribution(histogram([-math.inf, 0, 100], [0, 100, math.inf], [0, 3, 1]))
    assert (told["lows"], told["highs"]) == ([None, 0, 100], [0, 100, None])
    assert told["sum"] == {"low": 100, "high": None}
    assert told["percentiles"][-1] == {"share": 0.999, "low": 100, "high": None}
    assert told["scale"] == "linear"


def test_counts_of_things_have_no_summed_time():
    assert distribution(histogram([0, 1], [1, 2], [1, 1], unit=""))["sum_shares"] is None


def test_an_empty_histogram_has_no_percentiles():
    told = distribution(histogram([0], [1], [0]))
    assert (told["percentiles"], told["cumulative"], told["shares"]) == ([], [0], [0])


def test_a_published_histogram_is_read():
    lines = SAMPLE.read_text().splitlines()
    found = bpftrace_text.read(Text(lines=lines)).histograms
    for told in map(distribution, found):
        assert told["scale"] == "log2"
        assert told["cumulative"][-1] == 1
        assert told["percentiles"][0]["low"] is not None
