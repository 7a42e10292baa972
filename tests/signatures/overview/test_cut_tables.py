# ruff: noqa: E501 - lines of tools are long
"""Tables as people cut, wrap and quote them: the subject is stated, and nothing that the rows do not say."""

from __future__ import annotations

import pytest

from tests.signatures.overview.test_first_screen import overview, states

C2C = """\
  -------------------------------------------------------------
    161      544      745    11330       21  0xffff92e266af90c0
  -------------------------------------------------------------
        46.91%   44.60%    0.00%    0.00%                 0x0     1       1  0xffffffff86d5fb96       458       257       270     1065        32  [k] __handle_mm_fault          [kernel.vmlinux]  memory.c:2940            0  1
         4.20%    4.40%    0.00%    0.00%                 0x4     1       1  0xffffffff86d0ed54       471       310       287       94        28  [k] f
"""
STAMPS = """\
TcpExt:
    11371 SYN cookies sent
    2018640112 TCP sockets finished time wait in fast timer
    36905210 time wait sockets recycled by time stamp
    5026611 packets rejects in established connections because of timestamp
    6338 times the listen queue of a socket overflowed
    6338 SYNs to LISTEN sockets ignored
"""
MONITORS = """\
  cluster:
    id:     93ab29ce-6b3c-11ee-a5b2-005056b40000
    health: HEALTH_WARN
            4 slow ops, oldest one blocked for 67418 sec, daemons [mon.node-121,mon.node-123] have slow ops.
  services:
    mon: 3 daemons, quorum node-89,node-123,node-121 (age 20h)
    osd: 10 osds: 10 up (since 39m), 10 in (since 42m); 9 remapped pgs
"""
MEMORY = """\
$ cat /proc/meminfo
MemTotal:        4024644 kB
MemFree:          173310 kB
Buffers:           13528 kB
Cached:            20664 kB
SwapCached:         8664 kB
Active:             7124 kB
Inactive:          38652 kB
Unevictable:           0 kB
"""
OLD_TOP = """\
Mem:   4024644k total,  3838912k used,   185732k free,     5388k buffers
Swap:  4194300k total,    26840k used,  4167460k free,    17348k cached
"""
QUOTA = """\
docker run -it --rm --cpu-quota 10000 fib:latest /bin/sh -c "fib 8 && cat /sys/fs/cgroup/cpu/cpu.stat"
nr_periods 58
nr_throttled 56
throttled_time 10121004310
"""
FOLDER = """\
/sys/fs/cgroup/kubepods.slice/kubepods-pod2f.slice$ cat cpu.stat
usage_usec 8090112430
nr_periods 7599
nr_throttled 4170
throttled_usec 3318600412
"""
GPU = """\
    Temperature
        GPU Current Temp                  : 56 C
        GPU Shutdown Temp                 : 102 C
        GPU Slowdown Temp                 : 97 C
        GPU Max Operating Temp            : 57 C
"""
EVICTION = """\
I0913 15:18:12.884880  104204 helpers.go:826] eviction manager: thresholds - reclaim not satisfied: threshold [signal=memory.available, quantity=100Mi] observed -2097758044639028Ki
I0913 15:18:12.884883  104204 helpers.go:826] eviction manager: thresholds - updated stats: threshold [signal=memory.available, quantity=100Mi] observed -2097758044639028Ki
"""
NARROW = """\
Device:         rrqm/s   wrqm/s     r/s     w/s    rMB/s    wMB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util
sda
                  0.00     0.00    0.00  315.80     0.00     3.16    20.50     0.97    3.06    0.00    3.06   2.42  76.30

Device:         rrqm/s   wrqm/s     r/s     w/s    rMB/s    wMB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util
sda
                  0.00     0.00    0.00  329.60     0.00     3.29    20.46     1.22    3.70    0.00    3.70   2.42  79.80
"""
SYNS = """\
State      Recv-Q Send-Q Local Address:Port               Peer Address:Port
SYN-SENT   0      1      172.27.230.11:46460              10.1.1.1:8080
SYN-SENT   0      1      172.27.230.11:46462              10.1.1.1:8080
SYN-SENT   0      1      172.27.230.11:46464              10.1.1.1:8080
"""
UNREAD = """\
~# netstat -unlp | grep ":1900"
udp        0      0 239.255.255.250:1900    0.0.0.0:*                           15402/tvheadend
udp   8389376      0 0.0.0.0:1900            0.0.0.0:*                           4711/perl
"""
ARRAY = """\
> md6 :
> inactive sdl1[7](S) sdh1[13](S) sdg1[14](S) sdk1[11](S)
> sdj1[10](S) sdi1[6](S) sdd1[2](S) sdf1[8](S) sdb1[12](S)
> sde1[3](S) sdc1[15](S) 21488638704 blocks super 1.2
"""
SCREEN = """\
Samples: 2M of event 'cycles', Event count (approx.): 659840110234
  Children      Self  Shared Object                   Symbol                                      ▒
-   29.31%    29.31%  [kernel]                        [k] native_queued_spin_lock_slowpath        ▒
   - native_queued_spin_lock_slowpath                                                             ▒
      - 71.09% _raw_spin_lock_irq                                                                 ▒
         - shrink_inactive_list                                                                   ▒
"""


@pytest.mark.parametrize(
    ("text", "stated", "never"),
    [
        (C2C, "loads of cache line 0xffff92e266af90c0", "of the time"),
        (STAMPS, "5,026,611 TCP segments were rejected because of their time stamp", "longer backlog"),
        (MONITORS, "slow operations of monitors alone", "ceph osd"),
        (MEMORY, "neither free nor of files and programs", "restart"),
        (OLD_TOP, "cached (Mem)", "cached (Swap)"),
        (QUOTA, "throttled in 96.6 %", "No alarm"),
        (FOLDER, "/kubepods.slice/kubepods-pod2f.slice was throttled in 54.9 %", "a cgroup was"),
        (GPU, "56 celsius of at most 57 celsius (GPU Max Operating Temp)", "102"),
        (EVICTION, "cannot be right", "short of memory"),
        (NARROW, "sda is busy", "not read"),
        (SYNS, "connections to 10.1.1.1:8080 wait for an answer to their SYN", "CLOSE-WAIT"),
        (UNREAD, "The UDP socket 0.0.0.0:1900 (perl) holds 8.001 MiB that its program has not read", "239."),
        (ARRAY, "The array md6 is inactive", "spare"),
        (SCREEN, "in shrink_inactive_list", "does not show"),
    ],
)
def test_a_cut_table_is_stated_as_what_it_is(text, stated, never):
    found = overview(text)
    said = [
        found.headline.text,
        *(one.statement.text for one in found.statements),
        found.next_capture.command,
    ]
    assert any(stated in one for one in said), said
    assert not any(never in one for one in (*said, *found.first_steps))
    assert found.headline.kind != "nothing unusual"


def test_the_monitors_of_a_cluster_are_no_matter_of_its_disks():
    assert states(overview(MONITORS))["io"] == "not assessed"
    slow_disks = MONITORS.replace("[mon.node-121,mon.node-123]", "[osd.2,mon.node-123]")
    assert states(overview(slow_disks))["io"] == "alarm"


def test_a_full_accept_queue_among_few_connections_is_an_alarm():
    few = STAMPS.replace("2018640112", "20186")
    assert states(overview(few))["network"] == "alarm"
    assert "6,338 connections met a full accept queue" in overview(few).headline.text


def test_a_temperature_far_from_its_limits_is_no_trouble():
    assert overview(GPU.replace("56 C", "41 C")).headline.kind == "not assessed"


COLLECTOR = """\
[2.345s][info][gc] GC(12) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) {first}ms
[3.345s][info][gc] GC(13) Pause Young (Normal) (G1 Evacuation Pause) 25M->5M(256M) {pause}ms
[4.345s][info][gc] GC(14) Pause Full (G1 Compaction Pause) 25M->5M(256M) {pause}ms
[5.345s][info][gc] GC(15) Pause Young (Normal) (G1 Evacuation Pause) 26M->6M(256M) {pause}ms
"""
OLD_COLLECTOR = """\
2015-06-06T02:09:41.752+0200: 659391.663: [GC (Allocation Failure)  658190K->167930K(987136K), 0.0733101 secs]
2015-06-06T02:24:29.360+0200: 660279.271: [GC (Allocation Failure)  659400K->167210K(987136K), 25781.1097757 secs]
2015-06-06T09:34:28.052+0200: 686077.962: [GC (Allocation Failure)  658700K->202290K(987136K), 0.0537411 secs]
"""
OVERHEAD = """\
[2017-04-05T19:18:11,052][INFO ][o.e.m.j.JvmGcMonitorService] [xp-1] [gc][3433] overhead, spent [593ms] collecting in the last [1.2s]
[2017-04-05T19:18:12,858][WARN ][o.e.m.j.JvmGcMonitorService] [xp-1] [gc][3434] overhead, spent [1.4s] collecting in the last [1.8s]
"""
GO = "gc 12 @2.104s {share}%: 0.026+0.39+0.10 ms clock, 0.21+0.88/0.52/0+0.84 ms cpu, 4->5->1 MB, 8 P\n"


@pytest.mark.parametrize(
    ("text", "stated", "is_alarm"),
    [
        (COLLECTOR.format(first=410, pause=450.5), "for 39.2 % of the time", True),
        (COLLECTOR.format(first=4, pause=4.5), "", False),
        (OLD_COLLECTOR, "One of 3 pauses of a garbage collector took 25,781 s, the median 73.31 ms", True),
        (OVERHEAD, "A garbage collector took up to 77.8 % of the time", True),
        (GO.format(share=44), "up to 44 %", True),
        (GO.format(share=1), "", False),
    ],
)
def test_pauses_of_a_collector_are_stated_by_their_share_and_by_one_that_is_none(text, stated, is_alarm):
    found = overview(text)
    said = [found.headline.text, *(one.statement.text for one in found.statements)]
    assert any(stated in one for one in said)
    assert (states(found)["scheduling"] == "alarm") is is_alarm


SELF_TEST = """\
5 Reallocated_Sector_Ct   0x0033   094   094   036    Pre-fail  Always       -       8311
#1  Short offline       Completed: read failure       10%     18207         182004
"""
CHECK = """\
OK: no SMART errors detected. |Raw_Read_Error_Rate=0 Spin_Up_Time=446 Reallocated_Sector_Ct=0
WARNING: UDMA_CRC_Error_Count is non-zero (4731)|Raw_Read_Error_Rate=0 Spin_Up_Time=391 Reallocated_Sector_Ct=0
"""


def test_a_failed_self_test_and_a_failed_check_are_quoted():
    assert states(overview(SELF_TEST))["io"] == "alarm"
    assert "A self-test of the disk found sectors" in overview(SELF_TEST).headline.text
    assert "UDMA_CRC_Error_Count is non-zero (4731)" in overview(CHECK).headline.text
    assert "check" not in overview(CHECK.splitlines()[0]).headline.text


def test_a_command_without_its_prompt_is_no_row_of_its_output():
    table = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 812340  90210 412340    0    0     1     2   90  110  1  1 98  0  0
 2  0      0 812340  90210 412340    0    0     1     2   90  110  3  1 96  0  0
"""
    assert overview(f"vmstat 1\n{table}").headline == overview(f"$ vmstat 1\n{table}").headline
    assert overview("ss is slow since ten\n").headline.kind != "nothing unusual"
