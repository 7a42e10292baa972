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
VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
"""
MPSTAT = """\
Linux 5.15.0 (h) \t11/21/26 \t_x86_64_\t(2 CPU)

10:00:01     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
10:00:02     all    0.50    0.00   30.00    0.00    0.00    0.00    0.00    0.00    0.00   69.50
10:00:02       0    0.00    0.00   98.00    0.00    0.00    0.00    0.00    0.00    0.00    2.00
10:00:02       1    1.00    0.00    2.00    0.00    0.00    0.00    0.00    0.00    0.00   97.00
"""
SIGNS = {
    "tasks in state D": (
        VMSTAT + " 0  3      0 812000   1200 930000    0    0   100   120  900 1500  3  2 95  0  0\n",
        "3 tasks are blocked in uninterruptible sleep",
    ),
    "swap": (
        VMSTAT + " 1  0 795000  12000   1200  30000   80   60   100   120  900 1500  3  2 95  0  0\n",
        "80 KiB of memory is swapped in per second",
    ),
    "stolen time": (
        VMSTAT + " 1  0      0 812000   1200 930000    0    0     0    12  900 1500  3  2 86  0  9\n",
        "9 % of CPU time is stolen by the hypervisor",
    ),
    "one CPU": (MPSTAT, "98 % of the time of CPU 0 is kernel time"),
    "one CPU of top": (
        (
            "top - 12:57:32 up 7 min,  2 users,  load average: 5.02, 1.71, 0.65\n"
            "%Cpu0  :  0.0 us,  0.0 sy,  0.0 ni,100.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st\n"
            "%Cpu1  :  0.0 us,100.0 sy,  0.0 ni,  0.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st\n"
            "%Cpu2  :  0.0 us,  0.0 sy,  0.0 ni,100.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st\n"
            "%Cpu3  :  0.0 us,  0.0 sy,  0.0 ni,100.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st\n"
        ),
        "100 % of the time of CPU 1 is kernel time",
    ),
    "wrapped row of top": (
        (
            "top - 16:16:14 up  4:49,  1 user,  load average: 1.01, 1.02, 1.00\n"
            "%Cpu(s):  1.5 us, 26.9 sy,  0.0 ni, 71.6 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st\n\n"
            "  PID USER      PR  NI    VIRT    RES    SHR S %CPU %MEM     TIME+ COMMAND\n"
            "  360 root      20   0       0      0      0 R 99.9  0.0 283:13.38\nkworker/u8:2+fl\n"
            "    1 root      20   0   43784   5592   3936 S  0.0  0.1   0:08.64 systemd\n"
        ),
        "kworker/u8:2+fl, which runs work of the kernel, uses 99.9 % of a CPU",
    ),
    "past pressure": (
        (
            "==> /proc/pressure/memory <==\n"
            "some avg10=0.00 avg60=4.00 avg300=29.00 total=123456789\n"
            "full avg10=0.00 avg60=2.00 avg300=24.00 total=98765432\n"
        ),
        "Some tasks stalled on memory 29 % of the last 5 minutes",
    ),
    "events of a cgroup": (
        "low 0\nhigh 0\nmax 12\noom 3\noom_kill 0\n",
        "3 times the memory limit was met and reclaim could not free enough",
    ),
    "a few periods": (
        "usage_usec 1000000\nuser_usec 800000\nsystem_usec 200000\nnr_periods 80\nnr_throttled 50\n",
        "a cgroup was throttled in 62.5 % of its CPU periods",
    ),
    "failed member": (
        "Personalities : [raid1] \nmd0 : active raid1 sdb1[1](F) sda1[0]\n      104320 blocks [2/2] [UU]\n",
        "md0 has failed members: 1",
    ),
    "container": ('[{"State": {\n   "OOMKilled": true,\n   "ExitCode": 137\n}}]\n', "A container was killed"),
    "service": (
        "Nov 21 09:10:11 db-02 systemd[1]: app.service: Failed with result 'oom-kill'.\n",
        "The OOM killer ended a service",
    ),
    "pool": ("  pool: tank\n state: DEGRADED\n", "Pool tank is not whole"),
    "UFS": (
        (
            "ufshcd-qcom 1d84000.ufshc: pa_err[0] = 0x80000010 at 1234 us\n"
            "ufshcd-qcom 1d84000.ufshc: link_startup_fail: total cnt=3\n"
        ),
        "UFS storage",
    ),
}


@pytest.mark.parametrize("name", SIGNS)
def test_small_signs_of_trouble_are_never_calm(name):
    text, headline = SIGNS[name]
    assert overview(text).headline.text.startswith(headline)


def test_what_works_is_not_the_state_of_the_machine():
    text = "Personalities : [raid1]\nmd0 : active raid1 dm-6[1]\n      68564 blocks [1/1] [U]\n"
    words = "Nothing could be assessed; the evidence shows: All devices of the array work"
    assert overview(text).headline.text == words


def test_a_crash_in_a_dump_is_at_its_exception():
    text = (
        " #8 [ffff8d679a6cbd60] do_page_fault at ffffffff9e990975\n"
        " #9 [ffff8d679a6cbd90] page_fault at ffffffff9e98c778\n"
        "    [exception RIP: xhci_ring_trb_show+29]\n"
        "    RIP: ffffffff9e76005d  RSP: ffff8d679a6cbe40  RFLAGS: 00010246\n"
        "#10 [ffff8d679a6cbe68] seq_read at ffffffff9e476d10\n"
        "#11 [ffff8d679a6cbed8] vfs_read at ffffffff9e44e3ff\n"
    )
    assert "xhci_ring_trb_show ← seq_read" in overview(text).headline.text


def test_one_table_of_a_machine_is_not_called_usual():
    row = " 1  0      0 812000   1200 930000    0    0     0    12  900 1500  3  2 95  0  0\n"
    found = overview(VMSTAT + 2 * row)
    assert found.headline.kind == "not assessed"
    assert found.headline.text.startswith("No alarm about CPU, which alone could be assessed")


NVME_SCAN = """\
[ 1234.567890] INFO: task kworker/u16:3:4711 blocked for more than 120 seconds.
[ 1234.567891] task:kworker/u16:3   state:D stack:    0 pid: 4711 ppid:     2 flags:0x00004000
[ 1234.567892] [   T4711] Workqueue: nvme-wq nvme_scan_work [nvme_core]
[ 1234.567893] Call Trace:
[ 1234.567894]  schedule+0x46/0xb0
[ 1234.567895]  io_schedule+0x40/0x70
[ 1234.567896]  do_read_cache_folio+0x120/0x1a0
[ 1234.567897]  read_part_sector+0x30/0xd0
[ 1234.567898]  bdev_disk_changed+0x200/0x5a0
[ 1234.567899]  process_one_work+0x1f0/0x390
"""
RECLAIM = """\
[ 1234.567890] INFO: task redis-server:16212 blocked for more than 120 seconds.
[ 1234.567891] task:redis-server    state:D stack:    0 pid:16212 ppid:     1 flags:0x00000000
[ 1234.567893] Call Trace:
[ 1234.567894]  schedule+0x46/0xb0
[ 1234.567895]  io_schedule+0x40/0x70
[ 1234.567896]  wait_on_page_bit+0x120/0x1a0
[ 1234.567897]  shrink_page_list+0x6d2/0xaf0
[ 1234.567898]  try_to_free_mem_cgroup_pages+0xdd/0x170
[ 1234.567899]  kmem_cache_alloc+0x193/0x1e0
[ 1234.567900]  xfs_map_blocks+0x1a6/0x210 [xfs]
[ 1234.567901]  xfs_do_writepage+0x17b/0x550 [xfs]
"""


def test_a_wait_tells_the_work_the_callers_and_reclaim():
    scan = overview(NVME_SCAN).headline.text
    assert (
        "do_read_cache_folio ← read_part_sector ← bdev_disk_changed, work nvme_scan_work of nvme-wq" in scan
    )
    assert (
        "in memory reclaim, entered from xfs_map_blocks ← xfs_do_writepage" in overview(RECLAIM).headline.text
    )


def test_a_hung_worker_without_its_state_tells_its_work():
    cut = "".join(line for line in NVME_SCAN.splitlines(keepends=True) if "task:kworker" not in line)
    assert "work nvme_scan_work of nvme-wq" in overview(cut).headline.text


def test_a_crash_tells_what_failed_just_before():
    text = (
        "[   10.000000] EXT4-fs (sda1): failed to initialize system zone (-117)\n"
        "[   10.200000] BUG: kernel NULL pointer dereference, address: 0000000000000010\n"
        "[   10.200001] CPU: 1 PID: 123 Comm: mount Not tainted 5.15.0 #1\n"
        "[   10.200002] RIP: 0010:legacy_get_tree+0x30/0x50\n"
    )
    assert "just before: EXT4-fs (sda1): failed to initialize" in overview(text).headline.text


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
