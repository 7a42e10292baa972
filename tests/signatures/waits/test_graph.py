"""The wait graph of recorded hangs whose blocker is known, and of what must not have one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_bytes, read_paths
from signatures.judging.scope import items_of
from signatures.waits import graph_of
from signatures.waits.sentences import is_notable, root_sentence, summary

HANGS = Path(__file__).parents[2] / "data" / "recorded" / "hangs"
DATA = Path(__file__).parents[2] / "data"


def graph(*names):
    return graph_of(items_of(read_paths([HANGS / name for name in names])))


def of_text(text):
    return graph_of(items_of([read_bytes(text.encode(), name="dmesg.txt")]))


BLOCKERS = [line.split("\t") for line in (HANGS / "blockers.tsv").read_text().splitlines()]


@pytest.mark.parametrize(("name", "named", "answer"), [(row[0], *row[2:]) for row in BLOCKERS])
def test_the_known_blocker_of_a_recorded_hang_is_named_or_less_is_said(name, named, answer):
    assert summary(graph(name)) == answer
    assert named in answer


def test_the_owner_that_the_kernel_reports_is_reported_and_cited():
    found = graph("fuse-server-stops/dmesg.txt")
    assert found.roots[0].certainty == "reported"
    edge = next(edge for edge in found.waits if edge.certainty == "reported")
    line = (HANGS / "fuse-server-stops/dmesg.txt").read_text().splitlines()[edge.lines.first_line - 1]
    assert "blocked on an rw-semaphore likely owned by task mkdir:14954" in line


def test_a_writer_in_the_middle_passes_the_wait_on():
    found = graph("frozen-file-system/stacks.txt")
    names = {task.name: at for at, task in enumerate(found.tasks)}
    holds = {(edge.task, found.resources[edge.resource].title) for edge in found.holds}
    assert (names["region_unmap:16828"], "mmap_lock of process 16333") in holds
    assert (names["page_writer:16637"], "lock of a memory mapping (VMA) of process 16333") in holds


def test_logs_stacks_and_ps_of_one_hang_are_one_graph():
    found = graph("fuse-server-stops")
    assert (found.blocked, len(found.tasks)) == (6, 7)
    (cluster, *_) = found.clusters
    assert len(cluster.tasks) == 4
    assert found.roots[0].stuck == 5
    assert is_notable(found, found.roots[0])


def test_a_task_that_sleeps_idle_is_not_blocked():
    found = graph("fuse-server-stops")
    server = next(task for task in found.tasks if task.tid == 14819)
    assert not server.is_blocked


def test_a_holder_that_no_evidence_names_is_not_guessed():
    path = DATA / "kernel-log" / "hung-task.guest.txt"
    found = graph_of(items_of(read_paths([path])))
    assert found.holds == ()
    sentences = [root_sentence(found, root) for root in found.roots]
    assert "1 task waits for mutex taken in page_flusher; its holder is not in the evidence" in sentences
    assert "echo w > /proc/sysrq-trigger; dmesg" in found.lacks


def hung(comm, pid, owner, owner_pid, site):
    return f"""[  100.100000] INFO: task {comm}:{pid} blocked for more than 120 seconds.
[  100.100001] task:{comm}  state:D stack:0     pid:{pid}  tgid:{pid}   ppid:2      flags:0x00004000
[  100.100002] Call Trace:
[  100.100003]  __schedule+0x3cc/0xf50
[  100.100004]  schedule+0x23/0xa0
[  100.100005]  __mutex_lock+0x41b/0x720
[  100.100006]  {site}+0x15/0x30
[  100.100007]  kthread+0xd2/0x100
[  100.100008] INFO: task {comm}:{pid} is blocked on a mutex likely owned by task {owner}:{owner_pid}.
"""


def test_tasks_that_own_what_the_other_waits_for_are_a_deadlock():
    found = of_text(hung("left", 10, "right", 11, "take_left") + hung("right", 11, "left", 10, "take_right"))
    (ring,) = found.cycles
    assert {found.tasks[at].name for at in ring} == {"left:10", "right:11"}
    assert summary(found).startswith("deadlock of 2 tasks: ")
    assert [root for root in found.roots if root.task in ring] == []


def test_an_owner_without_a_stack_is_said_to_be_missing():
    found = of_text(hung("left", 10, "gone", 99, "take_left"))
    assert root_sentence(found, found.roots[0]) == (
        "1 task waits behind gone:99, whose stack is not in the evidence"
    )


LOCKS = """[  100.200000] Showing all locks held in the system:
[  100.200001] 2 locks held by waiter/20:
[  100.200002]  #0: ffff888000000001 (&first){+.+.}-{3:3}, at: outer+0x3f/0x90
[  100.200003]  #1: ffff888000000002 (&second){+.+.}-{3:3}, at: inner+0x60/0x530
[  100.200004] 1 lock held by owner/21:
[  100.200005]  #0: ffff888000000002 (&second){+.+.}-{3:3}, at: hold_it+0x60/0x530
"""


def block(comm, pid, state, *frames):
    lines = [f"task:{comm}  state:{state} stack:0     pid:{pid}  tgid:{pid}   ppid:2      flags:0x00004000"]
    lines += ["Call Trace:", *(f" {frame}+0x15/0x30" for frame in frames)]
    return "".join(f"[  100.1000{at:02}] {line}\n" for at, line in enumerate(lines))


def test_of_the_locks_that_lockdep_lists_the_last_is_waited_for():
    text = "[  100.000000] sysrq: Show State\n"
    text += block("waiter", 20, "D", "__schedule", "schedule", "__mutex_lock", "inner", "outer")
    text += block("owner", 21, "S", "__schedule", "schedule", "schedule_timeout", "slow_work", "hold_it")
    found = of_text(text + LOCKS)
    (wait,) = found.waits
    assert (wait.certainty, found.tasks[wait.task].comm) == ("lockdep", "waiter")
    assert [(edge.certainty, found.tasks[edge.task].comm) for edge in found.holds] == [("lockdep", "owner")]


def test_a_writer_of_a_file_does_not_hold_the_lock_of_a_directory():
    text = "[  100.000000] sysrq: Show State\n"
    text += block("mkdir", 20, "D", "__schedule", "schedule", "down_write", "filename_create", "do_mkdirat")
    text += block(
        "dd",
        21,
        "D",
        "__schedule",
        "schedule",
        "io_schedule",
        "folio_wait_bit_common",
        "generic_perform_write",
    )
    assert of_text(text).holds == ()
    text += block(
        "cp", 22, "D", "__schedule", "schedule", "down_write", "generic_file_write_iter", "vfs_write"
    )
    found = of_text(text)
    assert [found.tasks[edge.task].comm for edge in found.holds] == ["dd"]
    assert {found.tasks[edge.task].comm: found.resources[edge.resource].title for edge in found.waits}[
        "mkdir"
    ] == ("inode lock (i_rwsem)")


def test_without_tasks_there_is_no_graph():
    assert graph_of(()).tasks == ()
    assert summary(graph_of(())) == "no stacks or states of tasks in the evidence"


def test_tasks_that_only_sleep_are_counted_in_every_look():
    head = "$ ps -eLo pid,tid,stat,wchan:32,comm\n  PID   TID STAT WCHAN                            COMMAND\n"
    asleep = "".join(
        f"  {pid}   {pid} S    do_epoll_wait                    idle\n" for pid in range(400, 440)
    )
    blocked = "  900   900 D    rwsem_down_write_slowpath        dd\n"
    found = of_text((head + asleep + blocked) * 2)
    assert found.size == 41
    assert [task.tid for task in found.tasks if task.is_blocked] == [900]
    assert {(one.tasks, one.blocked) for one in found.snapshots} == {(41, 1)}
    assert found.snapshots[-1].stuck == (len(found.snapshots) > 1)
    assert summary(of_text(head + asleep)) == "no blocked task among 40 tasks"
