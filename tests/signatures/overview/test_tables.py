"""Tables of tools: what they are about leads, whatever part of the header is left of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.signatures.overview.test_first_screen import overview, states

FUTEX = """\
Samples: 8K of event 'cycles', Event count (approx.): 6611333057
+  24.10%  worker  [kernel.kallsyms]  [k] futex_wake
+  22.76%  worker  [kernel.kallsyms]  [k] get_futex_key
+  19.90%  worker  [kernel.kallsyms]  [k] futex_wait_setup
+   3.02%  worker  libc.so.6          [.] memchr
"""
SPREAD_SPIN = """\
# Overhead  Command          Shared Object               Symbol
# ........  ...............  ..........................  ....................................
     1.72%  shard-6          [kernel.kallsyms]           [k] native_queued_spin_lock_slowpath
     1.70%  shard-9          [kernel.kallsyms]           [k] native_queued_spin_lock_slowpath
     1.66%  shard-1          [kernel.kallsyms]           [k] native_queued_spin_lock_slowpath
     1.20%  shard-1          [kernel.kallsyms]           [k] vfs_read
"""
AUX_ROWS = """\
root      3377  0.0  0.0  11980  3352 ?        D    Jan24   0:00 blkid -o export
root      6293  0.0  0.0  11980  3316 ?        D    Jan24   0:00 blkid -o export
"""
SELECTED = """\
# ps -eo pid,state,wchan:32,cmd | awk '$2 ~ /D/'
2770 D txg_wait_synced                  [z_wr_int_0]
2771 D txg_wait_synced                  [z_wr_int_1]
"""
STATUS = "Name:   weston\nState:  D (disk sleep)\nPid:    9\nVmRSS:     80060 kB\nThreads:        17\n"
TOP_ROW = "   38 root      20   0       0      0      0 R  88.8   0.0   3:17.73 kswapd0\n"
TOP_MEMORY = """\
top - 14:02:50 up 16:38,  1 user,  load average: 1.90, 1.11, 1.45
MiB Mem :  88000.0 total,   1007.0 free,  86665.0 used,    328.0 buff/cache
MiB Swap:      0.0 total,      0.0 free,      0.0 used.    549.0 avail Mem
"""
BUSYBOX = """\
  PID  PPID USER     STAT   VSZ %VSZ CPU %CPU COMMAND
   55     2 root     RW       0  0.0   0 42.1 [kswapd0]
  703     1 root     S    1559m 84.3   1  1.2 /usr/lib/player
"""
MPSTAT = """\
03:50:09     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
03:50:10     all    3.25    0.00    2.75    0.00    0.00   12.25    0.00    0.00    0.00   81.75
03:50:10       0    1.00    0.00    1.00    0.00    0.00   97.00    0.00    0.00    0.00    1.00
03:50:10       1    4.00    0.00    3.00    0.00    0.00    1.00    0.00    0.00    0.00   92.00
"""
FULL = (
    MPSTAT.replace("3.25", "92.00").replace("12.25", "1.00").replace("97.00", "1.00").replace("81.75", "4.25")
)
RUNQSLOWER = """\
TIME     COMM             PID           LAT(us)
04:30:25 kworker/20:2     6023            22640
04:30:27 agent            18446          275000
"""
HISTOGRAM = """\
@read_latency_us:
[64, 128)           4141 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
[128, 256)           933 |@@@@@@@@@@@                                         |
[1M, 2M)             212 |@@                                                  |
"""
ORPHANS = """\
# cat /proc/sys/net/ipv4/tcp_max_orphans
65536
# cat /proc/net/sockstat
sockets: used 39845
TCP: inuse 125217 orphan 65738 tw 103758 alloc 121429 mem 22016
"""
NETLINK = """\
sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    Inode
0000000000000000 0   23984      00000113 0        0        0     2        0        129906
0000000000000000 0   18601      00000113 0        0        0     2        4711     33580
"""
SWAPPING = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  2 795604  12328   3980  46676 4096 9120  4100  9210  900 1500  4  6 85  5  0
"""
MACHINE_CHECK = """\
[   12.345678] mce: [Hardware Error]: Machine check events logged
[   12.345900] EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Chan#2_DIMM#0 (channel:2 slot:0 page:0x7f12)
"""

OLD_MEMINFO = """\
MemTotal:       24000000 kB
MemFree:          532324 kB
Buffers:          236832 kB
Cached:           459252 kB
AnonPages:       8199460 kB
Slab:           14876100 kB
SReclaimable:   14810428 kB
SUnreclaim:        65672 kB
"""
IDLE_LOAD = """\
top - 22:13:39 up 1 day,  3:47,  1 user,  load average: 8.05, 7.56, 6.85
Tasks:  73 total,   1 running,  72 sleeping,   0 stopped,   0 zombie
%Cpu(s):  0.7 us,  0.3 sy,  0.3 ni, 98.7 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
"""
THROTTLED = "# cat cpu.stat\nusage_usec 73899\nnr_periods 7\nnr_throttled 3\nthrottled_usec 139381\n"
MISSED = """\
6: eth4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP qlen 1000
    link/ether 9c:8e:99:53:e3:30 brd ff:ff:ff:ff:ff:ff
    RX: bytes  packets  errors  dropped overrun mcast
    1361950677 1745618628 0       179     47323   12119074
    RX errors: length  crc     frame   fifo    missed
               0        0       0       0       1725828
    TX: bytes  packets  errors  dropped carrier collsns
    0          0        0       0       0       0
"""
FSSLOWER = """\
TIME     COMM             PID     T BYTES   OFF_KB   LAT(ms) FILENAME
13:29:01 journal-offline  2992396 F LL_MAX  0          23.99 system.journal
"""

LOADAVG = "$ cat /proc/loadavg\n12.49 12.35 12.29 1/78 2452\n"
ONE_STACK = """\
PID = 301
[<ffffffffc04d6bcd>] write_all_supers+0x95d/0xaf0 [btrfs]
[<ffffffffc04dde48>] btrfs_commit_transaction+0x5d8/0x8f0 [btrfs]
[<ffffffffc04d8758>] transaction_kthread+0x188/0x1b0 [btrfs]
[<ffffffffb50abea3>] kthread+0x113/0x130
"""
FSYNCSNOOP = """\
# ./fsyncsnoop
Tracing fsync()s. Ctrl-C to end.
COMM             PID     LATms   FD RVAL FILE
multilog         4371    62.01    6 0x0 /service/log/main/current
multilog         4371     1.36    7 0x0 /service/log/main/state
"""

EXCERPT = """\
   0.85%  [kernel]                     [k] __bch2_btree_node_alloc
   0.84%  [kernel]                     [k] bch2_btree_node_iter_init
   0.72%  [kernel]                     [k] bch2_btree_path_verify
"""

QUOTED_MEMINFO = """\
> Slab:           29249640 kB
> SReclaimable:   29201040 kB
> SUnreclaim:        48600 kB
"""
NODE_LINES = """\
[2836069.534839]  mapped:6173 shmem:19383 pagetables:10249 bounce:0
[2836069.534845] Normal free:16840kB min:45244kB low:61752kB high:78260kB active_anon:5042708kB
"""
MEMCG_LINES = """\
 kern:    info: [2025-05-18T15:40:20.675652542Z]: unevictable 0
 kern:    info: [2025-05-18T15:40:20.675654542Z]: slab_unreclaimable 143096
"""
ONE_ROW_TREE = """\
# Samples: 905  of event 'cycles'
# Children      Self  Command   Shared Object      Symbol
    98.93%     0.00%  firejail  [kernel.kallsyms]  [k] entry_SYSCALL_64_after_hwframe
            |
            ---entry_SYSCALL_64_after_hwframe
               do_syscall_64
               |
               |--96.56%--ksys_read
               |          vfs_read
               |          |
               |           --93.88%--get_dominating_id
"""
BROWSER_TREE = """\
-   95.93%    38.21%  mmapr    mmapr     [.] worker
   - 57.71% worker
      - 56.39% page_fault
         - 56.35% __do_page_fault
"""
OFFSETS = """\
__softirqentry_text_start+0x77
irq_exit+0xa
call_function_single_interrupt+0xf
clear_page_erms+0x7
clear_huge_page+0x7d
"""
FREE_WITHOUT_COMMAND = """\
              total        used        free      shared  buff/cache   available
Mem:          15885       15402         201         311         281         120
Swap:          2047        2040           7
"""
FREE_WITH_UNITS = """\
               total        used        free      shared  buff/cache   available
Mem:            62Gi        61Gi       401Mi       1.1Gi       1.2Gi       712Mi
"""
IFCONFIG = """\
o-hm0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1442
        ether fa:16:3e:00:00:01  txqueuelen 1000  (Ethernet)
        RX packets 4000  bytes 3333377745 (3.1 GiB)
        RX errors 0  dropped 2829  overruns 0  frame 0
"""
TASKQ = """\
@queue_lat_us[dp_sync_taskq]:
[4K, 8K)               2 |@@@@@@                                              |
[64K, 128K)           14 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@    |
[1M, 2M)              15 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
"""
PANIC_ON_WARN = """\
[   12.500000] Kernel panic - not syncing: panic_on_warn set ...
[   12.500001] CPU: 1 PID: 4711 Comm: syz-executor Not tainted 6.8.0 #1
[   12.500002] Call Trace:
[   12.500003]  dump_stack_lvl+0x57/0x80
[   12.500004]  panic+0x107/0x283
[   12.500005]  __warn+0x8a/0x140
[   12.500006]  report_bug+0xbe/0xf0
[   12.500007]  exc_invalid_op+0x1a/0x50
[   12.500008]  asm_exc_invalid_op+0x12/0x20
[   12.500009]  tcp_send_loss_probe+0x1f0/0x210
[   12.500010]  tcp_write_timer_handler+0x12/0x40
"""
NAMELESS = "".join(
    f"     {share:.2f}%  app      [kernel.kallsyms]   [k] 0xffffffff9661d{at:03x}\n"
    for at, share in enumerate((9.1, 8.2, 7.3))
)

NFS_STACK = """\
[<ffffffffc0401b31>] rpc_wait_bit_killable+0x11/0x70 [sunrpc]
[<ffffffffc0402c4d>] __rpc_wait_for_completion_task+0x2d/0x30 [sunrpc]
[<ffffffffc0601123>] nfs_rename+0x13/0x20 [nfs]
"""
CRASH_STACK = """\
 #0 [ffffc90000a0fe38] machine_kexec at ffffffff8185cb45
 #1 [ffffc90000a0fe88] __crash_kexec at ffffffff8185cb46
 #2 [ffffc90000a0fed8] oops_end at ffffffff8185cb47
 #3 [ffffc90000a0ff28] page_fault at ffffffff8185cb48
 #4 [ffffc90000a0ff38] rpc_release_resources_task at ffffffff8185cb49
 #5 [ffffc90000a0ff48] __rpc_execute at ffffffff8185cb4a
"""
RESHAPE = """\
md2 : active raid10 sdl1[9] sdk1[8]
      46877236224 blocks super 1.2 512K chunks 2 near-copies [10/10] [UUUUUUUUUU]
      [====>................]  reshape = 22.1% (10380906624/46877236224) finish=2322382.1min speed=261K/sec
"""
RAID_WORKERS = "".join(
    f"[216427.24{at}] INFO: task md{at}_raid1:20{at} blocked for more than 120 seconds.\n"
    f"[216427.24{at}] md{at}_raid1       D    0   20{at}      2 0x80000000\n[216427.24{at}] Call Trace:\n"
    f"[216427.24{at}]  schedule+0x28/0x80\n[216427.24{at}]  {wait}+0x6e/0xa0\n"
    f"[216427.24{at}]  md_check_recovery+0x41/0x530\n[216427.24{at}]  raid1d+0x5c/0xf10\n"
    for at, wait in ((2, "wbt_wait"), (5, "md_super_wait"))
)

HOSTLESS = """\
Oct 12 18:12:16 kernel: INFO: task kworker/u24:0:14899 blocked for more than 120 seconds.
Oct 12 18:12:16 kernel: kworker/u24:0   D ffff99102b3226e0     0 14899      2 0x00000080
Oct 12 18:12:16 kernel: Call Trace:
Oct 12 18:12:16 kernel:  [<ffffffffb3389179>] schedule+0x29/0x70
Oct 12 18:12:16 kernel:  [<ffffffffb31abf45>] md_handle_request+0xd5/0x1c0
"""
IDLE_TOP = """\
top - 09:08:19 up 4 days, 17:10,  3 users,  load average: 1.00, 1.00, 1.00
%Cpu(s):  0.2 us,  0.5 sy,  0.0 ni, 98.5 id,  0.1 wa,  0.6 hi,  0.1 si,  0.0 st

    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
  19719 root      20   0    2852   2820   2020 D   5.1   0.0 285:40.07 raid6check
   1123 root      20   0       0      0      0 S   0.3   0.0  25:47.54 md0_raid6
"""

TABLES = (
    ("syslog without a host", HOSTLESS, "kworker/u24:0:14899 waits for MD array, for at least 120 s"),
    ("a task in state D of top", IDLE_TOP, "1 task is in uninterruptible sleep: raid6check"),
    ("a stack that waits", NFS_STACK, "nfs_rename: it waits for reply of an NFS server"),
    ("a stack of a crash", CRASH_STACK, "The kernel crashed in rpc_release_resources_task ← __rpc_execute"),
    ("a slow reshape", RESHAPE, "md2: the reshape is at 22.1 %"),
    (
        "workers of two arrays",
        RAID_WORKERS,
        "md2_raid1:202 waits for free request of a block device, for at least",
    ),
    ("quoted lines of meminfo", QUOTED_MEMINFO, "27.8 GiB of memory is reclaimable slab, 99.8 % of all slab"),
    ("zone lines without a head", NODE_LINES, "Memory is short in zone Normal: 16.45 MiB are free, below"),
    ("lines of a memory cgroup", MEMCG_LINES, "the lines that name the cgroup and the killed process"),
    ("a call tree of one row", ONE_ROW_TREE, "93.9 % of the time is in get_dominating_id and what it calls"),
    (
        "a call tree of the browser",
        BROWSER_TREE,
        "56.4 % of the time is in __do_page_fault and what it calls",
    ),
    ("names with offsets", OFFSETS, "of clear_page_erms ← clear_huge_page"),
    (
        "free without its command",
        FREE_WITHOUT_COMMAND,
        "Only 0.117 of 15.5 GiB (0.755 %) of memory is available",
    ),
    ("free with units", FREE_WITH_UNITS, "Only 0.695 of 62 GiB (1.12 %) of memory is available"),
    ("ifconfig", IFCONFIG, "o-hm0"),
    ("latencies of a task queue", TASKQ, "of 31 values of queue_lat_us dp_sync_taskq are 0.5 s or more"),
    ("a panic on a warning", PANIC_ON_WARN, "tcp_send_loss_probe"),
    ("addresses without names", NAMELESS, "addresses without names: what runs is not known"),
    ("an excerpt of small shares", EXCERPT, "2.41 % of the time is in bcachefs (__bch2_btree_node_alloc"),
    ("a lasting load of few runnable tasks", LOADAVG, "but runnable are 1 of 78 tasks"),
    ("a single stack", ONE_STACK, "in write_all_supers ← btrfs_commit_transaction"),
    ("a table of perf-tools", FSYNCSNOOP, "The longest of 2 traced file operations took 62.01 ms (multilog"),
    ("slab without MemAvailable", OLD_MEMINFO, "of memory is reclaimable slab"),
    ("load of idle CPUs", IDLE_LOAD, "Load average 8.05 while CPUs are 98.7 % idle: tasks wait"),
    ("few throttled periods", THROTTLED, "was throttled in 42.9 % of its CPU periods"),
    ("a full receive ring", MISSED, "found the receive ring of eth4 full"),
    ("a synchronisation of a file", FSSLOWER, "The traced file operation took 23.99 ms (journal-offline"),
    ("futex functions", FUTEX, "66.8 % of the time is in futex functions (futex_wake"),
    (
        "one function of many commands",
        SPREAD_SPIN,
        "5.08 % of the time is in native_queued_spin_lock_slowpath",
    ),
    ("rows of ps aux", AUX_ROWS, "2 tasks are in uninterruptible sleep: blkid -o export"),
    ("a filtered list of ps", SELECTED, "txg_wait_synced"),
    ("a status with blanks for tabs", STATUS, "1 task is in uninterruptible sleep: weston (PID 9)"),
    ("one row of top", TOP_ROW, "kswapd0, which reclaims memory, uses 88.8 % of a CPU"),
    ("memory in top", TOP_MEMORY, "of memory is available"),
    ("top of busybox", BUSYBOX, "kswapd0, which reclaims memory, uses 42.1 % of a CPU"),
    ("one CPU of many", MPSTAT, "CPU 0 spends 97 % of its time in soft interrupts"),
    ("all CPUs in use", FULL, "CPUs are 4.25 % idle: 92 % of CPU time is programs"),
    ("slow waits for a CPU", RUNQSLOWER, "The longest of 2 traced waits for a CPU took 275 ms (agent)"),
    ("a histogram with a tail", HISTOGRAM, "4.01 % of 5,286 values of read_latency_us are 0.5 s or more"),
    ("orphans beyond their limit", ORPHANS, "65,738 of 65,536 TCP orphans that the kernel allows (100 %)"),
    ("netlink sockets", NETLINK, "1 netlink socket dropped 4,711 messages"),
    ("swapping", SWAPPING, "of memory is swapped in per second"),
    ("a machine check with its module", MACHINE_CHECK, "CPU_SrcID#0_Chan#2_DIMM#0"),
)


@pytest.mark.parametrize(("text", "headline"), [row[1:] for row in TABLES], ids=[row[0] for row in TABLES])
def test_the_headline_says_what_a_table_is_about(text, headline):
    found = overview(text)
    assert headline in found.headline.text
    assert found.headline.kind != "nothing unusual"
    assert found.statements[0].statement.places


SERVERS = """\
F   UID     PID    PPID PRI  NI    VSZ   RSS WCHAN  STAT TTY        TIME COMMAND
1     0     126       1  20   0   4808  1676 fuse_d Ss   ?          0:02 squashfuse /snaps/core20.snap
1     0     127       1  20   0   4744  1564 fuse_d Ss   ?          0:03 squashfuse /snaps/snapd.snap
1     0     128       1  20   0   4516  1328 fuse_dev_do_read.isr Ss ?  0:00 squashfuse /snaps/lxd.snap
"""


def test_servers_of_fuse_that_wait_for_requests_do_not_wait_for_a_server():
    assert all("wait" not in one.statement.text for one in overview(SERVERS).statements)


def test_a_telling_fact_is_no_alarm_and_is_not_called_usual():
    found = overview(FULL)
    assert found.headline.kind == "fact"
    assert states(found)["cpu"] == "no alarm"


def test_of_two_hosts_the_facts_that_differ_are_named():
    pages = "pgpgin 1\npgscan_direct 4000000\npgsteal_direct 12\nallocstall_normal 90000\noom_kill 0\n"
    usual = "pgpgin 1\npgscan_direct 2\npgsteal_direct 2\nallocstall_normal 0\noom_kill 0\n"
    items = [
        replace(item, host=host)
        for host, text in (("db1", pages), ("db2", usual))
        for item in items_of([read_bytes(f"# cat /proc/vmstat\n{text}".encode(), name=f"{host}.txt")])
    ]
    panel = next(one for one in run(items) if one.name == "hosts-compared")
    assert "db1 differs from db2 most in" in panel.summary
    assert "vmstat.pgscan_direct" in panel.summary
    assert all(figure.places for figure in panel.figures)
