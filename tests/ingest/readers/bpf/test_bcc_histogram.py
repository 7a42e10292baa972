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


def test_a_function_above_a_histogram_of_funclatency_is_its_probe():
    lines = ["Function = b'inode_switch_wbs_work_fn' [812]", *bcc_histogram.EXAMPLE.splitlines()]
    banner = 'Tracing 3 functions for "inode_switch_wbs_*"... Hit Ctrl-C to end.'
    (histogram,) = bcc_histogram.read(Text([banner, *lines])).histograms
    assert (histogram.probe, histogram.key) == ("inode_switch_wbs_work_fn", "")


def test_the_command_of_funclatency_names_the_function_of_a_paste_without_banner():
    text = Text(bcc_histogram.EXAMPLE.splitlines(), command="sudo funclatency-bpfcc -m -d 5 memcg_stat_show")
    (histogram,) = bcc_histogram.read(text).histograms
    assert histogram.probe == "memcg_stat_show"
