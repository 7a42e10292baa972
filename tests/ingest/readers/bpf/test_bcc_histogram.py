"""Readings from the histograms of bcc tools."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.bpf import bcc_histogram
from tests.ingest.samples import read


def test_bounds_are_inclusive_as_printed_and_half_open_as_read():
    (histogram,) = read(bcc_histogram, "bcc-histogram/runqlat.txt", command="runqlat 2 1").histograms
    assert (histogram.name, histogram.unit) == ("runqlat", "us")
    assert list(zip(histogram.lows, histogram.highs, histogram.counts, strict=True))[:2] == [
        (0.0, 2.0, 191.0),
        (2.0, 4.0, 122.0),
    ]


def test_the_line_above_is_the_key():
    (histogram,) = read(bcc_histogram, "bcc-histogram/biolatency.txt").histograms
    assert histogram.key == "disk = vda"


def test_each_process_has_its_own_histogram():
    histograms = read(bcc_histogram, "bcc-histogram/runqlat-P.txt").histograms
    assert [one.key for one in histograms][:2] == ["pid = 14 ksoftirqd/0", "pid = 55 kworker/0:1H"]


def test_a_linear_bucket_holds_one_value():
    lines = ["     usecs         : count     distribution", "        7          : 3        |**      |"]
    (histogram,) = bcc_histogram.read(Text(lines)).histograms
    assert (histogram.lows, histogram.highs) == ((7.0,), (8.0,))


def test_a_cut_bucket_is_counted():
    reading = bcc_histogram.read(Text([*bcc_histogram.EXAMPLE.splitlines(), "         4 -> 7      "]))
    assert [skip.reason for skip in reading.skipped] == ["not a bucket"]
