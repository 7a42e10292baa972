"""Readings from perf trace."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.perf import perf_trace
from tests.ingest.samples import lines_of, read, rows, values


def test_the_summary_adds_up_over_threads():
    reading = read(perf_trace, "perf-trace/summary.txt")
    found = rows(reading, "perf_trace_summary")
    calls = sum(row["calls"] for row in found if row["call"] == "openat")
    assert values(reading, call="openat")["syscall.count"] == calls
    assert values(reading, call="clock_nanosleep")["syscall.seconds"] == 2.017048


def test_a_wrapped_time_is_no_time():
    reading = read(perf_trace, "perf-trace/pagefaults.txt")
    found = rows(reading, "perf_trace")
    assert {row["time_s"] for row in found} == {None}
    assert {row["call"] for row in found} == {"minfault", "majfault"}
    assert {row["where"] for row in found} == {"walk_file_pages"}


def test_stacks_below_a_tracepoint_are_its_profile():
    reading = read(perf_trace, "perf-trace/vmscan-stacks.txt")
    (profile,) = reading.profiles
    assert profile.event == "vmscan:mm_vmscan_memcg_reclaim_begin"
    heads = [line for line in lines_of("perf-trace/vmscan-stacks.txt") if "mm_vmscan" in line]
    assert profile.samples == len(heads)
    assert profile.frames[profile.node_frame[0]].name == "start_thread"


def test_an_unfinished_call_is_a_row():
    lines = [
        " 1234.567 ( 0.012 ms): java/4242 read(fd: 7, count: 4096)                    = 4096",
        " 1235.000 (         ): ps/77 openat(dfd: CWD, filename: /proc/123/cmdline) ...",
    ]
    found = rows(perf_trace.read(Text(lines)), "perf_trace")
    assert [row["is_unfinished"] for row in found] == [0.0, 1.0]
    assert found[0]["duration_s"] == 0.000012


def test_lost_events_weaken_the_evidence():
    reading = perf_trace.read(Text([perf_trace.EXAMPLE, "LOST 17 events!"]))
    assert reading.quality_names == {"lost_events"}
