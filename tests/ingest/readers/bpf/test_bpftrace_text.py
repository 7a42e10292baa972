"""Readings from bpftrace output."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest.model.reading import Skipped
from ingest.model.section import Text
from ingest.readers.bpf import bpftrace_text

if TYPE_CHECKING:
    from ingest.model.reading import Reading, RowSet

DATA = Path(__file__).parents[3] / "data" / "bpftrace-text"


def lines_of(name: str) -> list[str]:
    return (DATA / name).read_text().splitlines()


def reading_of(name: str) -> Reading:
    return bpftrace_text.read(Text(lines_of(name)))


def read(text: str, command: str = "") -> Reading:
    return bpftrace_text.read(Text(text.splitlines(), command=command))


def rows_of(reading: Reading, name: str) -> RowSet:
    return next(rows for rows in reading.row_sets if rows.name == name)


def column(rows: RowSet, name: str) -> list[object]:
    return [row[rows.columns.index(name)] for row in rows.rows]


class TestHistograms:
    def test_suffixes_are_powers_of_two_and_the_name_states_the_unit(self):
        (histogram,) = reading_of("memcg-reclaim.txt").histograms
        assert (histogram.name, histogram.unit) == ("@mm_vmscan_memcg_reclaim_ns", "ns")
        assert (histogram.lows[0], histogram.highs[-1]) == (128 * 1024, 16 * 2**30)
        assert (sum(histogram.counts), histogram.lines) == (1601, (21, 37))

    def test_a_single_number_is_a_bucket_of_one(self):
        (histogram,) = reading_of("mincore-latency.txt").histograms
        assert list(zip(histogram.lows, histogram.highs, strict=True))[:3] == [(0, 1), (1, 2), (2, 4)]
        assert sum(histogram.counts) == 12332

    def test_a_banner_without_names_names_no_probe(self):
        (histogram,) = reading_of("mincore-latency.txt").histograms
        assert (histogram.name, histogram.probe) == ("@latency_us", "")

    def test_a_note_behind_the_bar_is_not_a_value(self):
        (histogram,) = reading_of("mmap_lock-hold.txt").histograms
        assert (histogram.highs[-1], histogram.counts[-1]) == (2**28, 1)
        assert sum(histogram.counts) == 214851

    def test_linear_buckets_are_recognised_by_their_bounds(self):
        order, reclaimed = (
            next(h for h in reading_of("vmscan-hist-lhist-stats.txt").histograms if h.name == name)
            for name in ("@order", "@nr_reclaimed")
        )
        assert (order.highs, reclaimed.lows[:3]) == ((1.0,), (0.0, 16.0, 32.0))

    def test_open_ends_are_infinite(self):
        (histogram,) = read("@:\n(..., 0)   1 |@|\n[0, 2)   0 ||\n[10, ...)   1 |@|").histograms
        assert (histogram.lows[0], histogram.highs[0], histogram.highs[-1]) == (-math.inf, 0, math.inf)

    def test_the_script_names_the_probe(self):
        script = (
            "kprobe:vfs_read { @start[tid] = nsecs; }\nkretprobe:vfs_read /@start[tid]/ { @us = hist(1); }\n"
        )
        (histogram,) = read(script + "Attaching 2 probes...\n\n@us:\n[1]  5 |@@|").histograms
        assert histogram.probe == "kretprobe:vfs_read"

    def test_the_command_above_names_the_probe(self):
        command = "bpftrace -e 'tracepoint:syscalls:sys_exit_mincore { @us = hist(1); }'"
        (histogram,) = read("Attaching 1 probe...\n@us:\n[1]  5 |@@|", command).histograms
        assert histogram.probe == "tracepoint:syscalls:sys_exit_mincore"

    def test_keyed_histograms_keep_their_key(self):
        reading = read("@us[xfs_file_open]:\n[1]  5 |@@|\n\n@us[xfs_file_read_iter]:\n[1]  7 |@@|")
        assert [(h.name, h.key) for h in reading.histograms] == [
            ("@us", "xfs_file_open"),
            ("@us", "xfs_file_read_iter"),
        ]

    def test_of_a_growing_histogram_the_last_print_counts(self):
        first = "@us:\n" + "".join(f"[{2**n}, {2 ** (n + 1)})  {n} |@|\n" for n in range(1, 7))
        second = "@us:\n" + "".join(f"[{2**n}, {2 ** (n + 1)})  {n + 3} |@|\n" for n in range(1, 7))
        reading = read("Attaching 2 probes...\n" + first + "\n" + second)
        assert [sum(h.counts) for h in reading.histograms] == [39]
        assert [row.reason for row in reading.skipped] == ["earlier print of a growing histogram"]

    @pytest.mark.parametrize(
        ("name", "unit"),
        [
            ("@us", "us"),
            ("@st", ""),
            ("@cpus", ""),
            ("@reclaim_us_by_comm", "us"),
            ("@x_usecs", "us"),
            ("@lat_ms", "ms"),
        ],
    )
    def test_the_unit_is_a_word_of_the_name(self, name, unit):
        assert read(f"{name}:\n[1]  5 |@@|").histograms[0].unit == unit


class TestRows:
    def test_an_elapsed_of_minus_one_is_dropped_and_counted(self):
        reading = reading_of("memcg-reclaim.txt")
        ends = rows_of(reading, "memcg_reclaim_end")
        assert (len(ends.rows), sum(column(ends, "nr_reclaimed"))) == (8, 227)
        assert sum(column(ends, "elapsed_ns")) / 1e9 == pytest.approx(19.594, abs=0.001)
        assert reading.skipped == (Skipped("begin not seen: elapsed is -1 as unsigned", 1, 1),)

    def test_rows_span_the_time_they_state(self):
        begins = rows_of(reading_of("memcg-reclaim.txt"), "memcg_reclaim_begin")
        assert (len(begins.rows), begins.duration) == (9, 19.595)

    def test_hold_rows_keep_the_longest_in_spite_of_a_note(self):
        holds = rows_of(reading_of("mmap_lock-hold.txt"), "mmap_lock_hold")
        assert (len(holds.rows), max(column(holds, "duration_us"))) == (23, 230818460)
        assert holds.columns == ("pid", "tid", "comm", "duration_us")

    def test_dots_make_the_rows_an_excerpt(self):
        (remark,) = reading_of("mmap_lock-hold.txt").quality
        assert (remark.name, remark.line) == ("excerpt", 24)

    def test_two_rows_without_a_banner_are_an_excerpt(self):
        reading = reading_of("inode_switch_wbs.txt")
        rows = rows_of(reading, "inode_switch_wbs")
        assert rows.rows[0] == ("20:49:30", 3730800.0, 22438.0, 88.0)
        assert (rows.duration, reading.quality_names) == (0.0, {"excerpt"})

    def test_the_report_of_one_hold_is_one_row(self):
        reading = reading_of("mmap_lock-reclaim-stats.txt")
        (rows,) = reading.row_sets
        row = dict(zip(rows.columns, rows.rows[0], strict=True))
        assert (row["mode"], row["comm"], row["duration_us"]) == ("READ", "r_memory", 563997395)
        assert (row["nr_scanned"], row["nr_reclaimed"], row["nr_activate1"]) == (1093267, 32, 564142)
        assert (row["throttle_writeback"], row["throttle_congested"], row["shrink_lruvec_calls"]) == (
            0,
            0,
            13,
        )
        assert None not in row.values()
        assert (reading.skipped, reading.quality) == ((), ())

    def test_unknown_rows_get_fields_from_their_keys(self):
        reading = reading_of("printf-rows-lost.txt")
        (rows,) = reading.row_sets
        assert rows.name.startswith("rows:")
        assert column(rows, "reclaimed")[:4] == [1, 2, 4, 8]
        assert column(rows, "field_2")[0] == "arrow-read-09"

    def test_lost_events_are_reported(self):
        (remark,) = reading_of("printf-rows-lost.txt").quality
        assert (remark.name, remark.detail) == ("lost_events", "950 events were lost")

    def test_a_header_names_the_columns_below(self):
        reading = read("Attaching 1 probe...\nTIME      PID    COMM\n02:02:17  27933  sync\n")
        assert reading.row_sets[0].columns == ("time", "pid", "comm")
        assert reading.row_sets[0].rows == (("02:02:17", 27933.0, "sync"),)


@pytest.mark.parametrize("sample", sorted(DATA.glob("*.txt")), ids=lambda path: path.name)
def test_it_claims_its_samples_and_all_of_their_lines(sample):
    lines = sample.read_text().splitlines()
    assert bpftrace_text.begins(lines, 0)
    assert [line for line in lines if not bpftrace_text.continues(line)] == []


@pytest.mark.parametrize(
    "line",
    [
        "[ 2225.621988] @x: 1",
        "     usecs     : count     distribution",
        "user@host: ~",
        "# perf top",
        "END OF REPORT",
        "BEGIN",
        "s:main it was said",
        "64 bytes from 1.1.1.1",
    ],
)
def test_it_does_not_claim_what_only_looks_alike(line):
    assert not bpftrace_text.begins([line], 0)


@pytest.mark.parametrize(
    "line",
    [
        "@[kstack] = count();",
        "END { clear(@start); }",
        "kprobe:vfs_read",
        "tracepoint:mmap_lock:mmap_lock_released /@start[tid]/ {",
    ],
)
def test_a_script_that_goes_before_the_output_belongs_to_it(line):
    assert bpftrace_text.begins([line], 0)
