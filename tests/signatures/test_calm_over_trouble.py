"""Evidence that once was called calm, was not read, or was read without its callers: what it says now."""

from __future__ import annotations

import io
import tarfile
import textwrap

import pytest

from ingest.evidence import read_bytes
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from tests.signatures.overview.test_first_screen import overview

ALARMS = {
    "ext4": "EXT4-fs error (device sda1): ext4_find_entry:1463: inode #2: comm ls: error -5",
    "buffer": "Buffer I/O error on dev dm-3, logical block 263, lost async page write",
    "xfs": "XFS (dm-2): Corruption of in-memory data (0x8) detected at xfs_defer_finish_noroll+0x1a6/0x500 "
    "[xfs] (fs/xfs/libxfs/xfs_defer.c:561).  Shutting down filesystem.",
    "read-only": "EXT4-fs (sda1): Remounting filesystem read-only",
    "nvme": "nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10",
    "ata": "ata3.00: exception Emask 0x0 SAct 0x7fffffff SErr 0x0 action 0x6 frozen",
    "scsi": "sd 2:0:0:0: attempting task abort! scmd(00000000c0ffee00)",
    "nic": "NETDEV WATCHDOG: eth0 (e1000e): transmit queue 0 timed out",
    "gpu": "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.",
    "aer": "pcieport 0000:00:1c.0: AER: Uncorrected (Fatal) error received: 0000:00:1c.0",
    "btrfs": "BTRFS error (device sdb1): bdev /dev/sdb1 errs: wr 0, rd 12, flush 0, corrupt 3, gen 0",
    "raid": "md/raid1:md0: Disk failure on sdb1, disabling device.",
    "lockdep": "WARNING: possible circular locking dependency detected",
    "netdevice": "unregister_netdevice: waiting for lo to become free. Usage count = 1",
    "work item": "workqueue: drain_vmap_area_work hogged CPU for >10000us 64 times, consider "
    "switching to WQ_UNBOUND",
    "oom without a victim": "java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
}


def verdicts(evidence, catalog):
    found = judge(items_of([evidence]), catalog)
    return {one.signature.id: one.verdict for one in found if one.verdict in ("match", "suspect")}


@pytest.mark.parametrize("name", ALARMS)
def test_one_alarming_line_is_never_calm(name):
    found = overview(f"[  731.201345] {ALARMS[name]}\n")
    assert found.headline.kind in ("statement", "match", "suspect")
    assert found.statements[0].statement.places


KILL = (
    "[ 1234.567890] Memory cgroup out of memory: Killed process 6262 (python3) total-vm:213940kB, "
    "anon-rss:203904kB, file-rss:6644kB, shmem-rss:0kB, UID:0 pgtables:460kB oom_score_adj:0"
)


def test_an_oom_kill_far_below_the_beginning_of_a_member_matches(catalog):
    other = (
        "Nov 21 09:10:11 db-02 systemd[1]: Started session of user app, which is no message of the kernel.\n"
    )
    text = other * 400 + (
        "Nov 21 09:12:01 db-02 kernel: oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,"
        "mems_allowed=0,oom_memcg=/jobs/a,task_memcg=/jobs/a,task=python3,pid=6262,uid=0\n"
        f"Nov 21 09:12:01 db-02 kernel: {KILL.partition('] ')[2]}\n"
    )
    assert len(other) * 400 > 32 << 10
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("sosreport-db-02/var/log/messages")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text.encode()))
    assert verdicts(read_bytes(packed.getvalue(), name="sos.tar"), catalog) == {"mm/memcg-oom": "match"}


CALL_TREE = """\
    55.23%     0.00%  fio  [kernel.kallsyms]  [k] entry_SYSCALL_64_after_hwframe
            |
            ---entry_SYSCALL_64_after_hwframe
               do_syscall_64
               |
               |--54.10%--__x64_sys_io_submit
               |          blkdev_write_iter
               |          dd_insert_requests
               |          _raw_spin_lock_irq
               |          native_queued_spin_lock_slowpath
"""


def test_a_call_tree_without_its_header_names_who_spins_and_no_other_lock(catalog):
    assert verdicts(read_bytes(CALL_TREE.encode(), name="paste"), catalog) == {}
    assert overview(CALL_TREE).headline.text == (
        "54.1 % of the time spins on a lock (_raw_spin_lock_irq), "
        "taken in dd_insert_requests ← blkdev_write_iter"
    )


def test_a_hung_task_names_the_place_it_waits_at():
    text = (
        "[ 1234.567890] INFO: task mysqld:4711 blocked for more than 120 seconds.\n"
        "[ 1234.567891] task:mysqld          state:D stack:    0 pid: 4711 ppid:     1 flags:0x00000000\n"
        "[ 1234.567892] Call Trace:\n[ 1234.567893]  schedule+0x46/0xb0\n"
        "[ 1234.567894]  jbd2_log_wait_commit+0xb0/0x120 [jbd2]\n[ 1234.567895]  do_fsync+0x38/0x60\n"
    )
    assert overview(text).headline.text.startswith("mysqld:4711 waits for jbd2 commit")


CPU_STAT = "nr_periods 40031", "nr_throttled 12810", "throttled_time 4821337423"
GREPPED = "".join(f"/sys/fs/cgroup/cpu/docker/a1/cpu.stat:{line}\n" for line in CPU_STAT)
ADDRESSES = """\
 contended  total wait  max wait  avg wait           address  symbol
      1203     18.14 s     2.10 s    15.08 ms  ffff8a1c3f2b1c80
        17    812.00 us  140.00 us    47.76 us  ffffffff9d2a4b40  rtnl_mutex
"""
FORMS = {
    "mail of 72 columns": (textwrap.fill(KILL, 72) + "\n", "OOM killer killed python3"),
    "logread": (f"Sat Nov 21 05:00:19 2026 kern.info kernel: {KILL}\n", "OOM killer killed python3"),
    "grep -H": (
        f"$ grep -H . /sys/fs/cgroup/cpu/docker/a1/cpu.stat\n{GREPPED}",
        "/docker/a1 was throttled in 32 %",
    ),
    "grep without its command": (GREPPED, "/docker/a1 was throttled in 32 %"),
    "locks by address": (ADDRESSES, "18.14 s waited for locks"),
}


@pytest.mark.parametrize("form", FORMS)
def test_evidence_is_read_however_it_was_printed(form):
    text, headline = FORMS[form]
    assert overview(text).headline.text.startswith(headline)
