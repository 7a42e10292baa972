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


def test_owners_of_locks_are_rows():
    first, second, *_ = rows(read(perf_lock, "perf-lock/contention.owners.txt"), "lock_contention")
    assert (first["pid"], first["owner"]) == ("-1", "Unknown")
    assert (second["pid"], second["owner"], second["contended"]) == ("1583145", "sched-pipe", 4.0)


def test_stacks_of_owners_are_not_waits_of_their_own():
    reading = read(perf_lock, "perf-lock/contention.owner-stacks.txt")
    waits, owners = rows(reading, "lock_contention"), rows(reading, "lock_owner_stacks")
    assert [row["caller"] for row in waits] == ["pipe_read", "pipe_write", "do_epoll_wait"]
    assert [(row["caller"], row["total_wait_ns"]) for row in owners] == [("pipe_read", 31240.0)]
    assert values(reading)["lock.contended"] == 211.0
    waiting, owning = reading.profiles
    assert (waiting.what, waiting.weight, owning.what, owning.weight) == (
        "offcpu",
        1_794_930.0,
        "event",
        31240.0,
    )
    assert reading.skipped == ()


def test_cgroups_instead_of_callers():
    table = rows(read(perf_lock, "perf-lock/contention.cgroups.txt"), "lock_contention")
    assert [row["cgroup"] for row in table] == ["/", "/session-4.scope", "/pipewire.service", "/dbus.service"]
