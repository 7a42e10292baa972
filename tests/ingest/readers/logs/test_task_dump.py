"""Tasks of a kernel log: state, reported owner, locks that lockdep lists."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.readers.logs import kernel_log
from tests.ingest.samples import whole


def tables(lines):
    reading = kernel_log.read(Text([line for line in lines.splitlines() if line]))
    return {
        rows.name: [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]
        for rows in reading.row_sets
    }


def rows_of(sample, name):
    (rows,) = [rows for rows in whole(sample).row_sets if rows.name == name]
    return [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]


def test_a_hung_task_report_names_the_owner_and_prints_its_stack():
    owners = rows_of("recorded/hangs/fuse-server-stops/dmesg.txt", "lock_owners")
    assert {(row["pid"], row["owner"], row["owner_pid"], row["owner_role"]) for row in owners} == {
        (pid, "mkdir", 14954.0, "writer") for pid in (15002.0, 15003.0, 15004.0, 15005.0)
    }
    tasks = rows_of("recorded/hangs/fuse-server-stops/dmesg.txt", "kernel_tasks")
    assert {row["state"] for row in tasks if row["pid"] == 14954} == {"S"}
    assert {row["blocked_s"] for row in tasks if row["pid"] == 15002} == {20.0, 25.0}


def test_rounds_of_reports_are_snapshots():
    tasks = rows_of("recorded/hangs/fuse-server-stops/dmesg.txt", "kernel_tasks")
    assert [row["snapshot"] for row in tasks if row["pid"] == 15002] == [0.0, 1.0]


def test_old_kernels_print_the_state_in_columns():
    found = tables("""
[63122.077068] INFO: task jbd2/dm-2-8:22274 blocked for more than 120 seconds.
[63122.079128] jbd2/dm-2-8     D ffff88062fd95e00     0 22274      2 0x00000080
[63122.082014] Call Trace:
[63122.083450]  [<ffffffff815b6451>] schedule+0x31/0x80
[63122.084801]  [<ffffffff8158fd10>] jbd2_journal_commit_transaction+0x1a0/0x1580
[73072.990992] kworker/u146:16 D    0   495      2 0x80004000
[73072.990999] Workqueue: writeback wb_workfn (flush-253:0)
""")
    first, second = found["kernel_tasks"]
    assert (first["comm"], first["state"], first["blocked_s"]) == ("jbd2/dm-2-8", "D", 120.0)
    assert (second["workqueue"], second["snapshot"]) == ("writeback wb_workfn (flush-253:0)", 1.0)


def test_lockdep_lists_the_locks_of_a_task():
    found = tables("""
[   10.1] sysrq: Show Locks Held
[  100.000001] Showing all locks held in the system:
[  100.000002] 2 locks held by mkdir/5084:
[  100.000003]  #0: ffff88807e4a8460 (sb_writers#5){.+.+}-{0:0}, at: mnt_want_write+0x3f/0x90
[  100.000004]  #1: ffff888061a0c2c8 (&type->i_mutex_dir_key#3/1){+.+.}-{3:3}, at: filename_create+0x260/0x530
""")
    assert [(row["pid"], row["address"], row["function"]) for row in found["held_locks"]] == [
        (5084.0, "ffff88807e4a8460", "mnt_want_write"),
        (5084.0, "ffff888061a0c2c8", "filename_create"),
    ]


def test_a_frame_of_arm64_may_end_in_a_mark():
    reading = kernel_log.read(
        Text(
            [
                "[  242.833313] INFO: task systemd-udevd:2296 blocked for more than 120 seconds.",
                "[  242.837101] Call trace:",
                "[  242.839050]  __switch_to+0xdc/0x108 (T)",
                "[  242.840992]  __schedule+0x2f4/0x690",
                "[  242.846736]  __mutex_lock+0x45c/0x820",
            ]
        )
    )
    names = [frame.name for frame in reading.profiles[0].frames]
    assert set(names) == {"__switch_to", "__schedule", "__mutex_lock"}


BLOCK = """
[   10.000001] sysrq: Show Blocked State
[   10.000002] task:dd              state:D stack:0     pid:812   tgid:812   ppid:1      flags:0x00004002
[   10.000003] Call Trace:
[   10.000004]  <TASK>
[   10.000005]  io_schedule+0x46/0x80
"""


@pytest.mark.parametrize(
    ("rest", "last_line"),
    [
        ("[   10.000006] eth0: link up\n[   10.000007]  submit_bio_wait+0x57/0x80", 7.0),
        ("[   10.000006] eth0: link up\n" * 4 + "[   10.000007]  submit_bio_wait+0x57/0x80", 5.0),
        ("[   10.000006] audit: type=1400 denied\n" * 4 + "[   10.000007]  Call Trace:", 5.0),
        ("[   10.000006] ------------[ cut here ]------------\n[   10.000007]  fail+0x57/0x80", 5.0),
        ("[   19.000006]  pci 0000:00:1f.2: reg 0x20\n[   19.000007]  submit_bio_wait+0x57/0x80", 5.0),
        ("[    0.000000]  BIOS-e820: [mem 0x0-0x9fbff] usable\n[    0.000001]  fail+0x57/0x80", 5.0),
    ],
)
def test_the_block_of_a_task_ends(rest, last_line):
    (task,) = tables(BLOCK + rest)["kernel_tasks"]
    assert task["last_line"] == last_line
