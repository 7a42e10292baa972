"""Screens of public logs that said what their lines do not: each now says what they do."""

from __future__ import annotations

import pytest

from cli.evidence.analysis import analyse
from ingest.evidence import read_bytes
from ingest.readers.logs.kernel_log.devices import devices_in
from signatures.judging.scope import items_of
from signatures.overview.decided_steps import Near, rows
from tests.signatures.overview.test_first_screen import overview

_BTRFS = (
    "[3777897.708339] BTRFS: Transaction aborted (error -28)\n"
    "[3777897.708975] BTRFS info (device sdb: state A): space_info METADATA has -2326528 free, is full\n"
    "[3777897.709075] BTRFS: error (device sdb: state A) in __btrfs_free_extent: errno=-28 No space left\n"
    "[3777897.709175] BTRFS info (device sdb: state EA): forced readonly\n"
)
_ATA = (
    "[  363.007111] ata7.00: exception Emask 0x10 SAct 0x80000008 SErr 0x4050000 action 0xe frozen\n"
    "[  363.015384] ata7.00: irq_stat 0x00000040, connection status changed\n"
    "[  363.021655] ata7: SError: { PHYRdyChg CommWake DevExch }\n"
    "[  363.026980] ata7.00: failed command: READ FPDMA QUEUED\n"
    "[  363.047771] ata7.00: status: { DRDY }\n"
)
_TIMEOUT = (
    "[  363.007111] ata7.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen\n"
    "[  363.026980] ata7.00: failed command: READ DMA EXT\n"
    "[  363.032139] ata7.00: cmd 25/00:08:00:00:00/00:00:00:00:00/e0 tag 0 dma 4096 in\n"
    "         res 40/00:00:00:00:00/00:00:00:00:00/00 Emask 0x4 (timeout)\n"
)
_WARN = (
    "[  102.095036] WARNING: CPU: 1 PID: 10275 at mm/slab_common.c:1012 kmalloc_slab+0x5d/0x70\n"
    "[  102.117362] Call Trace:\n[  102.272923]  ? __might_sleep+0x95/0x190\n"
    "[  102.285145]  bfs_fill_super+0x3d3/0xea0\n[  102.296593]  mount_bdev+0x2b7/0x370\n"
)
_PANIC_ON_WARN = "[  102.103084] Kernel panic - not syncing: panic_on_warn set ...\n"
_BOND = (
    "[ 1033.676359] bond1: link status definitely down for interface enp95s0f0, disabling it\n"
    "[ 1041.944826] bond1: link status definitely down for interface enp175s0f0, disabling it\n"
    "[ 1041.944918] bond1: now running without any active interface!\n"
)
_RAID = (
    "[  907.100000] sdf: Current: sense key: Hardware Error\n"
    "[  907.110000] end_request: I/O error, dev sdf, sector 9664\n"
    "[  907.120000] raid5: Disk failure on sdf, disabling device. Operation continuing on 4 devices\n"
    "[  907.130000] RAID5 conf printout:\n"
)
_XFS = (
    "[257265.459517] XFS (dm-11): xfs_imap_to_bp: xfs_trans_read_buf() returned error -117.\n"
    "[257265.468411] XFS (dm-11): xfs_do_force_shutdown(0x8) called from line 3486\n"
    "[257265.559738] XFS (dm-11): Corruption of in-memory data detected.  Shutting down filesystem\n"
    "[257266.987748] XFS (dm-11): writeback error on sector 738263040\n"
)
_XFS_WRITE = (
    "[    8.176281] XFS (dm-4): Metadata corruption detected at xfs_sb_write_verify+0x60/0x120 [xfs],"
    " xfs_sb block 0x0\n"
    "[    8.177417] XFS (dm-4): Unmount and run xfs_repair\n"
)
_CRASH = (
    "[    1.908677] BUG: kernel NULL pointer dereference, address: 000000000000000f\n"
    "[    1.917125] Oops: 0000 [#1] SMP PTI\n"
    "[    1.918638] CPU: 3 PID: 0 Comm: swapper/3 Not tainted 5.15.0-rc6+ #14\n"
    "[    1.925974] RIP: 0010:blk_mq_free_request+0x3f/0x140\n"
    "[    1.954713] Call Trace:\n[    1.955406]  blk_flush_complete_seq+0x223/0x2b0\n"
    "[    1.971951] ---[ end trace 1d285559d26682a4 ]---\n"
)
_FATAL = "[    1.983365] Kernel panic - not syncing: Fatal exception in interrupt\n"
_POOL = (
    "[271072.624733] BUG: workqueue lockup - pool cpus=0-1 flags=0x4 nice=0 stuck for 2530s!\n"
    "[271072.632592] Showing busy workqueues and worker pools:\n"
    "[271072.648930]     pending: flush_to_ldisc, flush_to_ldisc\n"
)
_TIMER = (
    "[271081.464351] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:\n"
    "[271081.489167] rcu: rcu_sched kthread timer wakeup didn't happen for 254299 jiffies! g8370033 f0x2\n"
    "[271081.500810] rcu:    Possible timer handling issue on cpu=1 timer-softirq=2492648\n"
)
_NVME = "[  120.135440] nvme0n1: I/O Cmd(0x2) @ LBA 1336320, 32 blocks, I/O Error (sct 0x3 / sc 0x71)\n"

_ABORTED = (
    "[70127.894477] EXT4-fs error (device sdd1): ext4_journal_check_start:83: comm rsync:"
    " Detected aborted journal\n"
)
_LOOKUP = "[70127.894400] EXT4-fs error (device sdd1): ext4_lookup:1595: inode #2: comm ls: deleted inode\n"

SAID = {
    "an aborted journal is no damage": (_ABORTED, "name no damage", ("corrupted", "structures")),
    "damage before an aborted journal": (_LOOKUP + _ABORTED, "e2fsck -n /dev/sdd1", ("name no damage",)),
    "no space is no damage": (_BTRFS, "add a device", ("damaged", "Not if errno")),
    "a link that changed is no time-out": (_ATA, "check cable, power and slot", ("in time",)),
    "a time-out is one": (_TIMEOUT, "did not answer in time", ("went away",)),
    "a warning that panicked": (_WARN + _PANIC_ON_WARN, "restart it", ("let the host run;", "goes on")),
    "a warning alone": (_WARN, "let the host run", ("restart it",)),
    "a bond without a link": (_BOND, "look for what they share", ("traffic goes on", "again and again")),
    "an array that lost two": (
        *(_RAID + "[  907.140000]  --- rd:6 wd:4 fd:2\n", "change nothing on its members"),
        ("lives on", "replace", "exchanged"),
    ),
    "a RAID 5 that lost two": (
        *(_RAID + "[  907.140000]  --- level:5 rd:6 wd:4\n", "change nothing on its members"),
        ("lives on", "replace", "exchanged"),
    ),
    "a RAID 6 that lost two": (
        _RAID + "[  907.140000]  --- level:6 rd:6 wd:4\n",
        "mdstat",
        ("change nothing",),
    ),
    "an array that lost one": (_RAID + "[  907.140000]  --- rd:6 wd:5 fd:1\n", "mdstat", ("change nothing",)),
    "corruption is no failed device": (
        _XFS,
        "xfs_repair -n /dev/dm-11",
        ("no damaged structure", "did not do"),
    ),
    "a write that the check stopped": (_XFS_WRITE, "test the memory", ("found its structures wrong",)),
    "a crash that panicked": (_CRASH + _FATAL, "the host is down", ("drain", "locks")),
    "a crash alone": (_CRASH, "drain", ("the host is down",)),
    "work that only waits": (_POOL, "its time is the pool's", ("read the lines",)),
    "a timer that did not fire": (_POOL + _TIMER, "/proc/timer_list", ("in-flight",)),
    "a command that the kernel cancelled": (_NVME, "no answer of the drive", ("media_errors",)),
}


@pytest.mark.parametrize(("log", "said", "unsaid"), SAID.values(), ids=SAID.keys())
def test_the_first_step_is_of_what_the_lines_say(log, said, unsaid):
    found = overview(log)
    step = found.first_steps[0]
    assert said in step
    assert not [words for words in unsaid if words in step or words in found.short.text]


@pytest.mark.parametrize(
    ("log", "words"),
    [
        (_XFS_WRITE, "caught before the write; memory or software may be the cause"),
        (_NVME, "the kernel's own mark of a command that it cancelled"),
        (_XFS, "the disk's copy may be, too"),
    ],
    ids=["a write verifier", "a cancelled command", "corruption in memory"],
)
def test_what_a_line_names_has_its_meaning(log, words):
    found = overview(log)
    assert words in "\n".join(one.statement.text for one in found.statements)


def test_a_write_that_a_shutdown_failed_is_no_failed_device(tmp_path):
    (tmp_path / "dmesg.txt").write_text(_XFS)
    findings = analyse([str(tmp_path)]).report.findings
    found = next(one for one in findings if one.signature == "fs/readonly-after-error")
    assert "device_failed" not in {one.id for one in found.conditions if one.state == "TRUE"}


def test_the_dump_of_a_bad_block_is_no_error_of_its_own():
    dump = "[    8.178016] XFS (dm-4): First 128 bytes of corrupted metadata buffer:\n"
    assert not [one for one in overview(_XFS_WRITE + dump).statements if "First 128" in one.statement.text]


def test_no_step_denies_that_a_setting_helps():
    assert not [row["why"] for row in rows() if "no driver setting" in row["why"]]


def test_numbers_of_a_taskfile_are_no_device():
    assert devices_in("cmd 60/58:18:08:8a:03/00:00:05:00:00/40 res 50/00:58:58:89:03/00:00:05:00:00/40") == ()
    assert devices_in("sd 0:0:3:0: [sdc] tag#12 Sense Key : Hardware Error") == ("0:0:3:0", "sdc")


def test_lines_of_an_earlier_boot_are_not_near_a_line():
    earlier = _FATAL.replace("    1.98", "98765.98")
    (item,) = items_of([read_bytes((earlier + _CRASH + _FATAL).encode(), name="dmesg.txt")])
    crash = next(one for one in item.reading.log_records if one.uptime == 1.908677)
    near = Near().records(crash, item)
    assert [one.uptime for one in near if one.kind == "panic"] == [1.983365]
