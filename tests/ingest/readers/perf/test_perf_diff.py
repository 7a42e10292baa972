"""Readings from perf diff."""

from __future__ import annotations

from ingest.readers.perf import perf_diff
from tests.ingest.samples import read, rows, values


def test_growth_and_shrinking_are_signed():
    by_symbol = {row["symbol"]: row for row in rows(read(perf_diff, "perf-diff/perf-diff.txt"), "perf_diff")}
    assert (by_symbol["gc_collect_main"]["baseline_share"], by_symbol["gc_collect_main"]["delta_share"]) == (
        0.005,
        0.1209,
    )
    assert by_symbol["_PyObject_Malloc"]["delta_share"] == -0.0202


def test_a_symbol_without_a_baseline_is_new():
    by_symbol = {row["symbol"]: row for row in rows(read(perf_diff, "perf-diff/perf-diff.txt"), "perf_diff")}
    assert (by_symbol["list_traverse"]["is_new"], by_symbol["gc_collect_main"]["is_new"]) == (1.0, 0.0)


def test_the_largest_growth_is_a_fact():
    assert values(read(perf_diff, "perf-diff/perf-diff.txt"), symbol="gc_collect_main") == {
        "perf.diff.delta_share": 0.1209
    }


def test_every_row_of_a_real_report_is_read():
    assert read(perf_diff, "perf-diff/perf-diff.txt").skipped == ()
