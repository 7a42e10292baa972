"""One hang, shown by debuggers of its memory dump, by loops over /proc, by ps and by the kernel log."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ingest.evidence import read_bytes, read_paths
from signatures.judging.scope import items_of
from signatures.waits import graph_of
from signatures.waits.sentences import is_notable, root_sentence

HANG = Path(__file__).parents[2] / "data" / "recorded" / "hangs" / "inode-table-initialisation"
ROOT = "6 tasks wait behind ext4lazyinit:103 (2 directly), which waits for I/O of a block device"
INFERRED = (
    "4 tasks wait for inode lock (i_rwsem); its holder is not in the evidence",
    "2 tasks wait behind ext4lazyinit:103, which waits for I/O of a block device",
)
GROUP = "2 tasks wait for ext4 block group (alloc_sem); its holder is not in the evidence"
STACKS = ["corelens.bt.txt", "crash.bt.txt", "drgn.txt", "loop.txt", "loop-with-wchan.txt"]
ALL = {"jbd2/dm-0-8", "ext4lazyinit", "dd", "mkdir", "ls", "sync"}


def graph(*names):
    return graph_of(items_of(read_paths([HANG / name for name in names])))


@pytest.mark.parametrize(
    ("names", "sentences"),
    [
        (["corelens.lock.txt"], (ROOT,)),
        (["corelens.lock.txt", "loop.txt", "ps.txt"], (ROOT,)),
        # Two tasks run under the lock of a directory; stacks do not tell for which of them the others wait.
        (["corelens.bt.txt"], INFERRED),
        (["crash.bt.txt", "crash.ps-m.txt"], INFERRED),
        (["drgn.txt"], INFERRED),
        (["dmesg.txt"], INFERRED),
        (["loop.txt"], INFERRED),
        (["loop-with-status.txt"], INFERRED),
        (["loop-with-wchan.txt"], INFERRED),
        (
            ["ps.txt"],
            (INFERRED[0], GROUP),
        ),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
def test_every_tool_shows_the_blocker_or_less(names, sentences):
    found = graph(*names)
    assert tuple(root_sentence(found, root) for root in found.roots[: len(sentences)]) == sentences


@pytest.mark.parametrize(
    "name", ["corelens.bt.txt", "crash.bt.txt", "drgn.txt", "loop.txt", "loop-with-wchan.txt"]
)
def test_every_stack_is_of_a_named_task(name):
    found = graph(name)
    assert {task.comm for task in found.tasks} == ALL
    assert all(task.has_stack and task.is_blocked for task in found.tasks)


def test_stacks_that_grep_prints_are_of_the_process_in_the_path():
    blocked = {task.tid for task in graph("grep.txt").tasks if task.is_blocked}
    assert blocked == {101, 103, 107, 109, 111, 112, 113, 114, 116}


def test_the_owner_that_a_debugger_reads_is_reported_and_cited():
    found = graph("corelens.lock.txt")
    lines = (HANG / "corelens.lock.txt").read_text().splitlines()
    owners = {found.tasks[edge.task].tid: lines[edge.lines.first_line - 1] for edge in found.holds}
    assert {edge.certainty for edge in found.holds} == {"reported"}
    assert owners[109].endswith("(pid)109")
    assert owners[103].endswith("(pid)103")


def test_states_and_times_since_a_task_ran_come_from_ps_of_crash():
    found = graph("crash.ps-m.txt")
    seconds = {task.tid: task.blocked_seconds for task in found.tasks if task.is_blocked}
    assert len(seconds) == 9
    assert (seconds[103], seconds[112]) == (1.609, 380.221)


def test_a_memory_dump_is_one_moment_however_often_a_stack_is_printed():
    found = graph("corelens.lock.txt", "corelens.bt.txt", "crash.bt.txt")
    assert max(task.sightings for task in found.tasks) == 1


def test_a_loop_that_is_read_twice_is_two_snapshots():
    text = (HANG / "loop.txt").read_bytes()
    once, twice = (graph_of(items_of([read_bytes(text * times, name="stacks.txt")])) for times in (1, 2))
    assert {task.sightings for task in once.tasks} == {1}
    assert {(task.sightings, task.same_place) for task in twice.tasks} == {(2, 2)}


def process(name):
    return graph_of(items_of(read_paths([HANG.parent / name / "gdb.txt"])))


def test_the_owners_of_mutexes_that_gdb_prints_lead_to_the_thread_that_blocks_a_process():
    found = process("pthread-mutex-under-read")
    assert root_sentence(found, found.roots[0]) == (
        "6 tasks wait behind fetcher:16023 (2 directly), which sleeps in __GI___libc_read"
    )
    titles = {found.tasks[edge.task].comm: found.resources[edge.resource].title for edge in found.waits}
    assert titles["refill"] == "pthread mutex config (0x560077bde1c0)"
    assert titles["reader"] == "pthread rwlock cache (0x560077bde0c0)"
    assert {edge.certainty for edge in (*found.waits, *found.holds)} == {"reported"}
    # A thread that waits for work, and one that joins another, are idle.
    assert {task.comm for task in found.tasks if not task.is_blocked} == {"fetcher", "worker", "locks"}
    # One look at a process does not tell a hang from contention.
    assert not is_notable(found, found.roots[0])


def test_threads_that_own_each_others_mutex_are_a_deadlock():
    found = process("pthread-deadlock")
    (ring,) = found.cycles
    assert {found.tasks[at].comm for at in ring} == {"transfer", "audit"}


def test_without_the_owners_the_mutex_is_named_and_the_capture_that_prints_them():
    lines = (HANG.parent / "pthread-deadlock" / "gdb.txt").read_text().splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith("$"))
    found = graph_of(items_of([read_bytes(text.encode(), name="gdb.txt")]))
    assert found.cycles == ()
    assert {root_sentence(found, root).split(" (")[0] for root in found.roots} == {
        "1 task waits for pthread mutex accounts",
        "1 task waits for pthread mutex journal",
    }
    assert [capture.split()[0] for capture in found.lacks] == ["gdb"]


def test_an_owner_of_another_pid_namespace_is_not_named():
    text = (HANG.parent / "pthread-deadlock" / "gdb.txt").read_text()
    text = re.sub(r"__owner = \d+", "__owner = 7", text)
    found = graph_of(items_of([read_bytes(text.encode(), name="gdb.txt")]))
    assert found.holds == ()
