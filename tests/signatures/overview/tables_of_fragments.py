# ruff: noqa: E501 - lines of tools are long
"""Pieces of tables without their header or command, and tables that were cut at their right side."""

from __future__ import annotations

VMSTAT_ROWS = """\
 4  0      0 812344  41212 1204412    0    0     2    11  901 1402 31  6 20  1 42
 5  0      0 812110  41212 1204420    0    0     0    24  944 1411 30  7 19  1 43
"""
ETHTOOL_ROWS = """\
eth3:
     rx_packets: 1231123
     rx_errors: 51231
     rx_crc_errors: 51231
     tx_packets: 1012311
"""
ETHTOOL_BARE = """\
     rx_packets: 91231123
     tx_packets: 81231123
     rx_missed_errors: 412311
"""
PRESSURE = """\
io:some avg10=92.10 avg60=90.01 avg300=81.02 total=91231123112
io:full avg10=83.10 avg60=80.01 avg300=70.02 total=81231123112
"""
NVME_LOG = """\
SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x00
Available Spare:                    3%
Available Spare Threshold:          10%
"""
BUDDYINFO = """\
Node 0, zone      DMA      1      1      0      0      2      1      1      0      1      1      3
Node 0, zone   Normal 912311  41231    112      0      0      0      0      0      0      0      0
"""
PERF_STAT = """\
 Performance counter stats for 'system wide':

        64,012.31 msec cpu-clock                 #    7.998 CPUs utilized
  201,231,123,112      cycles                    #    3.144 GHz
   31,231,123,112      instructions              #    0.16  insn per cycle
    4,123,112,311      cache-references          #   64.412 M/sec
    3,912,311,231      cache-misses              #   94.89% of all cache refs
"""
LOCK_STAT = """\
                              class name    con-bounces    contentions   waittime-min   waittime-max waittime-total   waittime-avg
-------------------------------------------------------------------------------------------------------------------------------
                        &sb->s_type->i_lock_key:       8123112        9123112           0.08       81231.12  912311231.12         100.00
                        rcu_state.lock:          123            212           0.10          12.31        412.31           1.94
"""
FUTEX = """\
 java (4123), 81231 events, 61.2%

   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   futex              41231   8123 91231.123     0.001     2.212  5000.112     12.11%
   read                2311      0   112.311     0.001     0.048    12.311      9.11%
"""
TMPFS = """\
MemTotal:       16303428 kB
MemFree:          141204 kB
MemAvailable:     271120 kB
Cached:         11912300 kB
Shmem:          11702144 kB
AnonPages:       3010220 kB
"""
OFF_CPU = """\
    finish_task_switch
    schedule
    jbd2_log_wait_commit
    jbd2_complete_transaction
    ext4_sync_file
    do_fsync
    -                mysqld (2211)
        41231123

    schedule
    pipe_read
    vfs_read
    -                cat (2212)
        300

    schedule
    pipe_read
    ksys_read
    -                cat (2213)
        200
"""
DIRECT_RECLAIM = """\
allocstall_normal 8123112
pgscan_kswapd 8123112311
pgscan_direct 91231123112
"""
TASKS_LINE = "Tasks: 1312 total,   1 running, 399 sleeping,   0 stopped, 912 zombie\n"
BLOCKED_ROWS = """\
 2211 D    balance_dirty_pages_ratelimited  dd
 2212 D    balance_dirty_pages              tar
"""
FAULTS = """\
11:00:01 AM   UID       PID  minflt/s  majflt/s     VSZ     RSS   %MEM  Command
11:00:11 AM  1001      2211    812.00   4123.00 9876540 5912311  76.20  mongod
"""
WRITES = """\
11:00:01 AM   UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command
11:00:11 AM     0      8123      0.00 412311.00      0.00    8123  rsync
"""
UNREAD = """\
Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
tcp   812311      0 10.0.0.5:8080           10.0.0.9:51122          ESTABLISHED 4123/java
"""
UNSENT = """\
State  Recv-Q Send-Q  Local Address:Port   Peer Address:Port
ESTAB  0      412311  10.0.0.5:2049        10.0.0.9:812      timer:(on,1min12sec,9)
"""
NUMASTAT = """\
                           node0           node1
numa_hit              8123112311      1231123112
numa_miss              912311231               0
numa_foreign                   0       912311231
"""
JOURNAL = (
    '{"MESSAGE":"Memory cgroup out of memory: Killed process 4123 (java) total-vm:8123112kB, '
    'anon-rss:2012311kB, file-rss:0kB, shmem-rss:0kB","PRIORITY":"3","SYSLOG_IDENTIFIER":"kernel"}\n'
)

TABLES = {
    "a piece of /proc/vmstat": (DIRECT_RECLAIM, "Tasks scanned 11 times as many pages for reclaim"),
    "tasks of top alone": (TASKS_LINE, "912 processes are zombies"),
    "blocked tasks without a header": (BLOCKED_ROWS, "2 tasks are in uninterruptible sleep"),
    "faults by process": (FAULTS, "mongod takes 4,123 major page faults a second"),
    "writes by process": (WRITES, "rsync writes 402.6 MiB a second"),
    "data that a program has not read": (UNREAD, "wait in the receive queues of connections"),
    "data that is not acknowledged": (UNSENT, "wait in the send queues of connections"),
    "pages of another node": (NUMASTAT, "8.89 % of pages were allocated on another NUMA node"),
    "record of a journal that was forwarded": (JOURNAL, "OOM killer killed java"),
    "rows of vmstat": (VMSTAT_ROWS, "hypervisor"),
    "counters under the name of an interface": (ETHTOOL_ROWS, "4 % of packets that arrived at eth3"),
    "counters of an interface without a head": (ETHTOOL_BARE, "rx_missed_errors"),
    "pressure behind its resource": (PRESSURE, "Some tasks stalled on IO 92.1 %"),
    "log of an NVMe controller": (NVME_LOG, "3 % spare left"),
    "free blocks of zones": (BUDDYINFO, "Free memory is fragmented in node 0, zone Normal"),
    "few instructions per cycle": (PERF_STAT, "0.16 instructions per cycle; 94.9 % of cache references"),
    "lock statistics without holds": (LOCK_STAT, "100 % of the time waited for locks is for the lock &sb->s"),
    "calls that wait": (FUTEX, "99.9 % of the time of the traced calls is in futex"),
    "memory that a file system holds": (TMPFS, "available; 71.8 % is shared memory and tmpfs"),
    "time off the CPU": (OFF_CPU, "100 % of 41.23 s off the CPU waits for jbd2 commit"),
}
