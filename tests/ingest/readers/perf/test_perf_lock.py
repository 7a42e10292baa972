"""Readings from perf lock contention."""

from __future__ import annotations

from ingest.readers.perf import perf_lock
from tests.ingest.samples import read, rows, values


def test_rows_name_type_and_caller_without_offset():
    first = rows(read(perf_lock, "perf-lock/contention.callers.txt"), "lock_contention")[0]
    assert first == {
        "contended": 286.0,
        "total_wait_ns": 1.77e6,
        "max_wait_ns": 96530.0,
        "average_wait_ns": 6170.0,
        "type": "spinlock",
        "caller": "shrink_node",
    }


def test_threads_instead_of_callers():
    first = rows(read(perf_lock, "perf-lock/contention.threads.txt"), "lock_contention")[0]
    assert (first["pid"], first["comm"]) == ("22982", "arrow-read-28")


def test_time_waited_in_all_is_a_fact():
    reading = read(perf_lock, "perf-lock/contention.callers.txt")
    waited = sum(row["total_wait_ns"] for row in rows(reading, "lock_contention"))
    assert values(reading)["lock.wait_seconds"] == round(waited / 1e9, 6)


def test_stacks_weigh_by_time_waited():
    reading = read(perf_lock, "perf-lock/contention.stacks.txt")
    (profile,) = reading.profiles
    assert (profile.unit, profile.what, profile.sample_weight[0]) == ("ns", "offcpu", 1.77e6)
    assert profile.weight == sum(row["total_wait_ns"] for row in rows(reading, "lock_contention"))
    names = [profile.frames[frame].name for frame in profile.node_frame[:8]]
    assert names[0] == "charge_memcg"
    assert names[-1] == "__pv_queued_spin_lock_slowpath"


def test_messages_of_perf_are_counted():
    reading = read(perf_lock, "perf-lock/contention.stacks.txt")
    assert [skip.reason for skip in reading.skipped] == ["a message of perf"]
