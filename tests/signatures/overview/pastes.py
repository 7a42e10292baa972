# ruff: noqa: E501 - lines of tools are long
"""Short outputs as people paste them, with figures of incidents that other people published."""

from __future__ import annotations

SLABTOP = """\
 Active / Total Objects (% used)    : 190000000 / 193000000 (98.4%)
 Active / Total Slabs (% used)      : 6000000 / 6000000 (100.0%)
 Active / Total Caches (% used)     : 100 / 140 (71.4%)
 Active / Total Size (% used)       : 48800000.00K / 49300000.00K (99.0%)
 Minimum / Average / Maximum Object : 0.01K / 0.25K / 8.00K

  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME
187990016 187990016 100%    0.25K 5874688       32  48130490K kmalloc-256
 32000  31000  96%    0.19K   1523       21      6092K dentry
"""

TOP_LOAD = """\
top - 10:01:02 up 12 days,  3:04,  2 users,  load average: 679.12, 611.40, 402.00
Tasks: 1290 total,  12 running, 1278 sleeping,   0 stopped,   0 zombie
%Cpu(s):  2.1 us, 93.0 sy,  0.0 ni,  3.9 id,  1.0 wa,  0.0 hi,  0.0 si,  0.0 st
MiB Mem :  64305.6 total,    386.6 free,  60261.6 used,   2191.4 buff/cache

    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
    131 root      20   0       0      0      0 R 100.0   0.0  99:00.20 kswapd0
   1110 app       20   0  496260 149136 111868 S  41.7   0.6   0:00.20 java
"""

NETSTAT = """\
Tcp:
    13506285 active connection openings
    13506285 passive connection openings
    1000000000 segments received
    1000000000 segments sent out
    2000 segments retransmitted
TcpExt:
    189088 times the listen queue of a socket overflowed
    30000000 SYNs to LISTEN sockets dropped
"""

NETSTAT_CALM = """\
Tcp:
    3506285 active connection openings
    3506285 passive connection openings
    1000000000 segments received
    1000000000 segments sent out
    2000 segments retransmitted
TcpExt:
    1 times the listen queue of a socket overflowed
    1 SYNs to LISTEN sockets dropped
"""

IOSTAT_BUSY = """\
Device         r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util
sda           0.00      0.00     0.00   0.00    0.00     0.00   90.00    528.00    43.00  32.33   10.89     5.87    0.98  98.40
"""

IOSTAT_CALM = """\
Device         r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util
nvme0n1   13526.00 216416.00     0.00   0.00    0.10    16.00    0.00      0.00     0.00   0.00    0.00     0.00    1.40 100.00
"""

CGROUP_AT_LIMIT = """\
$ cat memory.usage_in_bytes
501346304
$ cat memory.max_usage_in_bytes
524292096
$ cat memory.limit_in_bytes
524288000
"""

NETSTAT_GREPPED = """\
    22438 times the listen queue of a socket overflowed
    49148 SYNs to LISTEN sockets dropped
"""

PERF_TOP = """\
Samples: 1M of event 'cycles:ppp', 4000 Hz, Event count (approx.): 800000000000 lost: 0/0 drop: 0/0
Overhead  Shared Object        Symbol
  55.31%  [kernel]             [k] isolate_freepages_block
   9.02%  [kernel]             [k] clear_page_erms
   3.10%  libc-2.31.so         [.] __memmove_avx_unaligned_erms
"""

PERF_LOCK = """\
 contended   total wait     max wait     avg wait         type   caller

      5286    145.21 s        9.83 s     27.47 ms     spinlock   shrink_lruvec+0x2ff
       119    605.34 us     58.08 us      5.09 us        mutex   pipe_read+0x4e
"""

PERF_LOCK_CALM = """\
 contended   total wait     max wait     avg wait         type   caller

       286      1.77 ms     96.53 us      6.17 us     spinlock   shrink_node+0x2ff
"""

PERF_SCHED = """\
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           |
 -------------------------------------------------------------------------------------------------------------------
  java:467              |    282.442 ms |        2 | avg: 121.128 ms | max: 812.257 ms | max start:   729.583167 s |
  sleep:468             |      1.442 ms |        2 | avg:   0.128 ms | max:   0.257 ms | max start:   729.583167 s |
"""

MEMINFO_CALM = """\
==> /proc/meminfo <==
MemTotal:       65865604 kB
MemFree:        20000000 kB
MemAvailable:   40000000 kB
Buffers:          200000 kB
Cached:         21000000 kB
SwapCached:            0 kB
AnonPages:      20000000 kB
Slab:            3000000 kB
SReclaimable:    2500000 kB
SUnreclaim:       500000 kB
PageTables:       100000 kB
"""

MEMINFO_SHORT = MEMINFO_CALM.replace("MemAvailable:   40000000", "MemAvailable:     400000")

LOG_WITHOUT_LEVELS = "".join(
    f"[{at / 10:12.6f}] usb 1-1: new high-speed USB device number {at}\n" for at in range(9)
)

CPU_STAT = """\
==> /sys/fs/cgroup/app.slice/cpu.stat <==
usage_usec 1810380
user_usec 1000000
system_usec 810380
nr_periods 40031
nr_throttled 12810
throttled_usec 90031000
"""

IOSTAT = """\
Linux 6.1.0 (db1) 	11/22/2026 	_x86_64_	(8 CPU)

avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           1.00    0.00    2.00    3.00    0.00   94.00

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util
sda              1.00      4.00     0.00   0.00    0.50     4.00    1.00      4.00     0.00   0.00    0.50     4.00    0.00   0.10

avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           1.00    0.00    2.00   43.00    0.00   54.00

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util
sda             11.00     44.00     0.00   0.00  812.50     4.00    9.00     36.00     0.00   0.00 1900.00     4.00   31.00 100.00
"""

PRESSURE = """\
==> /proc/pressure/memory <==
some avg10=66.35 avg60=34.64 avg300=12.93 total=48887424
full avg10=41.00 avg60=24.64 avg300=2.93 total=38887424
"""

ALARMS = [
    ("IOSTAT_BUSY", "Device sda is busy 98.4 % of the time: writes take 10.9 ms", "io"),
    (
        "NETSTAT_GREPPED",
        "22,438 connections met a full accept queue (total not in the evidence)",
        "network",
    ),
    ("CGROUP_AT_LIMIT", "has reached its memory limit of 500 MiB and uses 95.6 % of it", "cgroup-limits"),
    ("SLABTOP", "leaks objects of the slab cache kmalloc-256 (45.9 GiB", "memory"),
    ("TOP_LOAD", "kswapd0, which reclaims memory, uses 100 % of a CPU", "memory"),
    ("NETSTAT", "30,000,000 connections were dropped by a listener", "network"),
    ("PERF_TOP", "55.3 % of the time is in isolate_freepages_block", "cpu"),
    ("PERF_LOCK", "145.2 s waited for locks, 100 % of it for a spinlock in shrink_lruvec", "locks"),
    ("PERF_SCHED", "java was runnable and waited 812.3 ms for a CPU", "scheduling"),
    ("MEMINFO_SHORT", "of memory is available", "memory"),
    ("CPU_STAT", "was throttled in 32 % of its CPU periods (12,810 of 40,031", "cgroup-limits"),
    ("IOSTAT", "Reads of sda take 812.5 ms on average", "io"),
    ("PRESSURE", "Some tasks stalled on memory 66.3 % of the last 10 s", "memory"),
]
"""Name of the paste, words of its headline, the question that is in alarm."""

CALM = ("IOSTAT_CALM", "NETSTAT_CALM", "PERF_LOCK_CALM", "MEMINFO_CALM")
