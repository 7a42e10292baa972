"""Lines that tell one event are one, and events that are alike are counted."""

from __future__ import annotations

import pytest

from tests.signatures.overview.test_first_screen import overview

SHUTDOWN = """\
[257265.468411] XFS (dm-11): xfs_do_force_shutdown(0x8) called from line 3486 of file fs/xfs/xfs_inode.c.
[257265.559738] XFS (dm-11): Corruption of in-memory data detected.  Shutting down filesystem
[257266.338225] XFS (dm-11): Please umount the filesystem and rectify the problem(s)
"""
HANG = """\
Jul 24 12:26:16 ws4 kernel: [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, signaled seq=516
Jul 24 12:26:16 ws4 kernel: amdgpu 0000:08:00.0: amdgpu: GPU reset begin!
"""
ABORT = """\
[77.708339] BTRFS: Transaction aborted (error -28)
[77.708994] BTRFS: error (device sdb: state A) in __btrfs_free_extent:3092: errno=-28 No space left
[77.710683] BTRFS: error (device sdb: state EA) in btrfs_run_delayed_refs:2165: errno=-28 No space left
[146.824892] BTRFS warning (device sdb: state EA): Skipping commit of aborted transaction.
[146.824906] BTRFS: error (device sdb: state EA) in btrfs_sync_log:3161: errno=-5 IO failure
"""
TIMEOUT = """\
[89.895139] nvme nvme0: I/O 900 (I/O Cmd) QID 2 timeout, aborting
[120.103133] nvme nvme0: I/O 900 QID 2 timeout, reset controller
"""
PANIC = """\
[12.100000] Kernel panic - not syncing: Fatal exception in interrupt
[12.200000] ---[ end Kernel panic - not syncing: Fatal exception in interrupt ]---
"""


@pytest.mark.parametrize("log", [SHUTDOWN, HANG, ABORT, TIMEOUT, PANIC])
def test_what_one_event_prints_in_several_lines_is_no_number_of_times(log):
    found = overview(log)
    said = (found.short.text, *(one.text for one in found.short.chips), found.statements[0].statement.text)
    assert not [text for text in said if "times" in text or "the first of" in text]


@pytest.mark.parametrize(
    ("log", "later"),
    [
        (TIMEOUT, TIMEOUT.replace("900", "901").replace("[89", "[289").replace("[120", "[320")),
        (HANG, HANG.replace("seq=51", "seq=61")),
    ],
)
def test_events_of_several_lines_are_counted(log, later):
    assert "2 times" in overview(log + later).statements[0].statement.text
