"""Holders for many waiting tasks: found without comparing every waiter with every holder."""

from __future__ import annotations

from pathlib import Path

from ingest.evidence import read_paths
from signatures.judging.scope import items_of
from signatures.waits import graph_of
from signatures.waits.holding import Candidates, Held

HANGS = Path(__file__).parents[2] / "data" / "recorded" / "hangs"


def candidates(*held):
    tasks = graph_of(items_of(read_paths([HANGS / "frozen-file-system/stacks.txt"]))).tasks
    return Candidates(tasks, {"mmap_lock": held})


def holder(task, instance="", mode="read"):
    return Held(task, "mmap_lock", instance, mode, "inferred", "", None)


def test_tasks_that_hold_nothing_share_one_list_of_holders():
    found = candidates(holder(1), holder(2))
    shared = found.other_than(3, "mmap_lock")
    assert shared.is_shared
    assert found.other_than(4, "mmap_lock").held is shared.held
    assert [one.task for one in shared.held] == [1, 2]


def test_a_task_does_not_wait_behind_itself():
    found = candidates(holder(1), holder(2))
    others = found.other_than(1, "mmap_lock")
    assert not others.is_shared
    assert [one.task for one in others.held] == [2]
    assert len(others.names) == 1


def test_a_waiter_for_one_instance_gets_its_holders_alone():
    found = candidates(holder(1, "117"), holder(2, "118"), holder(3))
    assert [one.task for one in found.other_than(0, "mmap_lock", "118").held] == [2]
    assert found.other_than(0, "mmap_lock", "119").held == ()
    assert found.other_than(0, "inode_rwsem").names == frozenset()
    assert len(found.other_than(0, "mmap_lock").names) == 3
