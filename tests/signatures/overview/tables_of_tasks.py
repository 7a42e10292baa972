"""Lists of tasks, CPUs and their load, as people paste them."""

from __future__ import annotations

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
IDLE_LOAD = """\
top - 22:13:39 up 1 day,  3:47,  1 user,  load average: 8.05, 7.56, 6.85
Tasks:  73 total,   1 running,  72 sleeping,   0 stopped,   0 zombie
%Cpu(s):  0.7 us,  0.3 sy,  0.3 ni, 98.7 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
"""
THROTTLED = "# cat cpu.stat\nusage_usec 73899\nnr_periods 7\nnr_throttled 3\nthrottled_usec 139381\n"
LOADAVG = "$ cat /proc/loadavg\n12.49 12.35 12.29 1/78 2452\n"
IDLE_TOP = """\
top - 09:08:19 up 4 days, 17:10,  3 users,  load average: 1.00, 1.00, 1.00
%Cpu(s):  0.2 us,  0.5 sy,  0.0 ni, 98.5 id,  0.1 wa,  0.6 hi,  0.1 si,  0.0 st

    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
  19719 root      20   0    2852   2820   2020 D   5.1   0.0 285:40.07 raid6check
   1123 root      20   0       0      0      0 S   0.3   0.0  25:47.54 md0_raid6
"""
OVERLOAD = """\
Linux 6.1.0 (db)  11/24/26  _x86_64_  (2 CPU)

10:00:01      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
10:00:02     1000       101   38.00    2.00    0.00   40.00   40.00     0  qemu
10:00:02     1000       102   35.00    3.00    0.00   41.00   38.00     1  python
10:00:02     1000       103   30.00    2.00    0.00   45.00   32.00     0  npm

$ vmstat 1 2
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
12  0      0 900000  20000 900000    0    0     1     1  900 2000 80 20  0  0  0
13  0      0 900000  20000 900000    0    0     0     0  900 2000 80 20  0  0  0
"""

TABLES = {
    "a task in state D of top": (IDLE_TOP, "1 task is in uninterruptible sleep: raid6check"),
    "rows of ps aux": (AUX_ROWS, "2 tasks are in uninterruptible sleep: blkid -o export"),
    "a filtered list of ps": (SELECTED, "txg_wait_synced"),
    "a status with blanks for tabs": (STATUS, "1 task is in uninterruptible sleep: weston (PID 9)"),
    "one row of top": (TOP_ROW, "kswapd0, which reclaims memory, uses 88.8 % of a CPU"),
    "top of busybox": (BUSYBOX, "kswapd0, which reclaims memory, uses 42.1 % of a CPU"),
    "one CPU of many": (MPSTAT, "CPU 0 spends 97 % of its time in soft interrupts"),
    "all CPUs in use": (FULL, "CPUs are 4.25 % idle: 92 % programs"),
    "more work than the CPUs can do": (OVERLOAD, "run fewer at a time, cap them (cpu.max), or add CPUs"),
    "slow waits for a CPU": (RUNQSLOWER, "The longest of 2 traced waits for a CPU took 275 ms (agent)"),
    "a lasting load of few runnable tasks": (LOADAVG, "but runnable are 1 of 78 tasks"),
    "load of idle CPUs": (IDLE_LOAD, "Load average 8.05 while CPUs are 98.7 % idle: tasks wait"),
    "few throttled periods": (THROTTLED, "was throttled in 42.9 % of its CPU periods"),
}
"""Output by what it is, with words of its headline."""
