"""Statistics of a histogram equal those of its values, up to the resolution of buckets."""

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
    result = distribution(histogram(edges[:-1], edges[1:], counts))
    assert result["scale"] == "log2"
    assert result["count"] == len(values)
    for share, reached in zip(result["shares"], counts, strict=True):
        assert share == pytest.approx(reached / len(values), abs=1e-9)
    ordered = sorted(values)
    for percentile in result["percentiles"]:
        value = ordered[math.ceil(percentile["share"] * len(values)) - 1]
        assert percentile["low"] <= value < percentile["high"]
    assert result["sum"]["low"] <= sum(values) <= result["sum"]["high"]
    assert sum(result["sum_shares"]) == pytest.approx(1, abs=1e-6)


def test_an_open_bucket_has_no_end_and_leaves_the_sum_open():
    result = distribution(histogram([-math.inf, 0, 100], [0, 100, math.inf], [0, 3, 1]))
    assert (result["lows"], result["highs"]) == ([None, 0, 100], [0, 100, None])
    assert result["sum"] == {"low": 100, "high": None}
    assert result["percentiles"][-1] == {"share": 0.999, "low": 100, "high": None}
    assert result["scale"] == "linear"


def test_counts_of_things_have_no_summed_time():
    assert distribution(histogram([0, 1], [1, 2], [1, 1], unit=""))["sum_shares"] is None


def test_an_empty_histogram_has_no_percentiles():
    result = distribution(histogram([0], [1], [0]))
    assert (result["percentiles"], result["cumulative"], result["shares"]) == ([], [0], [0])


def test_a_published_histogram_is_read():
    lines = SAMPLE.read_text().splitlines()
    found = bpftrace_text.read(Text(lines=lines)).histograms
    for result in map(distribution, found):
        assert result["scale"] == "log2"
        assert result["cumulative"][-1] == 1
        assert result["percentiles"][0]["low"] is not None
