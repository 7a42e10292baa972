"""Time off the CPU is weighed by its length, not by the number of stacks."""

from __future__ import annotations

from tests.signatures.overview.test_first_screen import overview

WAITS = """\
    __schedule
    schedule
    rwsem_down_write_slowpath
    down_write
    {0}
    -                a (1)
        {1}

    __schedule
    schedule
    jbd2_log_wait_commit
    ext4_sync_file
    -                b (2)
        {2}
"""


def texts(*values):
    return [one.statement.text for one in overview(WAITS.format(*values)).statements]


def test_the_share_of_a_lock_is_of_the_time():
    (lock,) = [one for one in texts("vm_mmap_pgoff", 1_000_000, 9_000_000) if "sleeps for a lock" in one]
    assert lock.startswith("10 % of off-CPU time")


def test_the_longest_wait_leads():
    assert any(
        one.startswith("90 % of 10 s off the CPU waits for jbd2 commit, in jbd2_log_wait_commit")
        for one in texts("vm_mmap_pgoff", 1_000_000, 9_000_000)
    )


def test_waits_of_idle_tasks_are_left_out():
    text = "    schedule\n    do_nanosleep\n    hrtimer_nanosleep\n    -      sleep (1)\n        5000000\n"
    assert not any("off the CPU" in one.statement.text for one in overview(text).statements)
