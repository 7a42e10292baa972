"""Readings from dumps of a run-time's threads."""

from __future__ import annotations

from ingest.readers.traces import thread_dump
from tests.ingest.samples import read, rows, stacks


def test_blocked_java_threads_have_their_lock():
    threads = rows(read(thread_dump, "thread-dump/jstack.txt"), "thread_dump")
    pool = [row for row in threads if row["comm"].startswith("pool-worker-")]
    assert [row["state"].split()[0] for row in pool].count("BLOCKED") == 5
    assert len({row["lock"] for row in pool if row["lock"]}) == 1
    assert [row["holds"] for row in pool if row["holds"]] == [pool[1]["lock"]]


def test_java_stacks_are_innermost_first():
    (profile,) = read(thread_dump, "thread-dump/jstack.txt").profiles
    names, _ = stacks(profile)[0]
    assert names[-1] == "java.lang.Thread.sleep"


def test_py_spy_and_pystack_agree():
    spied = read(thread_dump, "thread-dump/py-spy-dump.txt")
    stacked = read(thread_dump, "thread-dump/pystack.txt")
    assert len(rows(spied, "thread_dump")) == len(rows(stacked, "thread_dump")) == 5
    leaves = [sorted(row["function"] for row in rows(one, "thread_dump")) for one in (spied, stacked)]
    assert leaves[0] == leaves[1] == ["main", *["waiter"] * 4]


def test_one_look_shows_presence_and_no_shares():
    reading = read(thread_dump, "thread-dump/py-spy-dump.txt")
    assert reading.quality_names == {"no_weights"}
    assert (reading.profiles[0].what, reading.profiles[0].has_weights) == ("bare", False)
