"""Readings from perf sched."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.perf import perf_sched
from tests.ingest.samples import lines_of, read, rows, values


def test_latency_gives_delays_per_task():
    reading = read(perf_sched, "perf-sched/latency.txt")
    first = rows(reading, "sched_latency")[0]
    assert (first["comm"], first["tid"], first["switches"], first["max_delay_ms"]) == (
        "sleep",
        467.0,
        2.0,
        2.257,
    )
    assert values(reading)["sched.max_delay_seconds"] == 0.002257


def test_a_merged_task_has_its_count():
    merged = [
        row for row in rows(read(perf_sched, "perf-sched/latency.txt"), "sched_latency") if row["merged"]
    ]
    assert [(row["comm"], row["merged"]) for row in merged] == [("perf", 2.0)]


def test_history_spans_what_it_recorded():
    reading = read(perf_sched, "perf-sched/timehist.txt")
    rows_read = reading.row_sets[0]
    assert len(rows_read.rows) == len(lines_of("perf-sched/timehist.txt")) - 3
    assert (
        rows_read.duration
        == rows(reading, rows_read.name)[-1]["time_s"] - rows(reading, rows_read.name)[0]["time_s"]
    )


def test_idle_time_is_no_delay():
    line = "     729.586104 [0000]  <idle>                              0.000      9.000      2.700 "
    reading = perf_sched.read(Text([*perf_sched.EXAMPLE.splitlines(), line]))
    assert values(reading)["sched.max_delay_seconds"] == 0.000097


def test_the_summary_is_a_set_of_its_own():
    reading = read(perf_sched, "perf-sched/timehist.summary.txt")
    first = rows(reading, "sched_summary")[0]
    assert (first["comm"], first["tid"], first["pid"], first["switches"]) == (
        "arrow-read-00",
        22954.0,
        22952.0,
        225.0,
    )
