"""Tables that once were called calm: means, selections, lines that nobody read, values that cannot be right.

Columns and rows are as the tools print them; the numbers are those of public reports.
"""

from __future__ import annotations

VMSTAT_HEAD = (
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
)
VMSTAT_CALM = " 1  0  0 9000000 9000 900000 0 0 10 10 500 600 5 2 92 1 0\n"
BANNER = "Linux 6.1.0-18-amd64 (web12) \t11/21/2026 \t_x86_64_\t(8 CPU)\n\n"
CPUS = (
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
    "           5.00    0.00    3.00   {}    0.00   {}\n\n"
)
DEVICES = "Device            r/s     w/s     rkB/s     wkB/s  r_await w_await  aqu-sz  %util\n"
QUIET_DISK = "sda 1.0 2.0 4.0 8.0 0.3 0.5 0.01 1.2\n\n"
MPSTAT_HEAD = (
    "10:00:00     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"
)
PS_HEAD = "USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n"


def vmstat(*rows: str, before: int = 12, after: int = 12) -> str:
    """Return vmstat of one look a second: calm rows around others."""
    return f"$ vmstat 1 40\n{VMSTAT_HEAD}{VMSTAT_CALM * before}{''.join(rows)}{VMSTAT_CALM * after}"


def sar_cpu(*system: float, command: str = "") -> str:
    """Return sar -u of one look a minute."""
    head = "12:00:01 AM     CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
    rows = (
        f"12:{at:02d}:01 AM  all  1.00  0.00  {one:.2f}  0.00  0.00  {97 - one:.2f}\n"
        for at, one in enumerate(system, 1)
    )
    return f"{command}{BANNER}{head}{''.join(rows)}"


def iostat(*disks: str, waiting: float = 1.0) -> str:
    """Return iostat with its first line, and a report for each row of a disk."""
    cpus = CPUS.format(f"{waiting:.2f}", f"{92 - waiting:.2f}")
    return BANNER + "".join(f"{cpus}{DEVICES}{disk}" for disk in disks)


def mpstat(*system: float) -> str:
    """Return mpstat of one look a second."""
    return f"{BANNER}{MPSTAT_HEAD}" + "".join(
        f"10:00:{at:02d}  all  2.00  0.00  {one:.2f}  0.00  0.00  0.00  0.00  0.00  0.00  {97 - one:.2f}\n"
        for at, one in enumerate(system, 1)
    )


def ps(size: int, command: str, state: str = "S", kib: int = 18200) -> str:
    """Return `ps aux` of processes of one command."""
    return PS_HEAD + "".join(
        f"app      {3000 + at:5d}  0.1  0.2 {kib * 10} {kib} ?        {state}    10:00   0:00 {command}\n"
        for at in range(size)
    )


ZOMBIES = "$ ps -eo pid,ppid,stat,comm\n  PID  PPID STAT COMMAND\n" + "".join(
    f"{3000 + at:5d}  2210 Z    sh <defunct>\n" for at in range(60)
)
RUN_QUEUE = """\
$ runqlat 10 1
Tracing run queue latency... Hit Ctrl-C to end.

     usecs               : count     distribution
         0 -> 1          : 812      |****************************************|
         2 -> 3          : 390      |*******************                     |
         4 -> 7          : 18       |                                        |
         8 -> 15         : 3        |                                        |

"""
STALLS = "stall: 4121 ms\nstall: 3984 ms\nstall: 4200 ms\n"
LINK_DROPS = """\
2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP mode DEFAULT group default qlen 1000
    link/ether 52:54:00:12:34:56 brd ff:ff:ff:ff:ff:ff
    RX:   bytes   packets errors  dropped  missed   mcast
    98765432100 142162515      0   {}       0       0
    TX:   bytes   packets errors  dropped carrier collsns
    12345678900  71081257      0        0       0       0
"""
TOP = """\
top - 10:12:01 up 12 days,  3:10,  2 users,  load average: 2.10, 2.00, 1.90
Tasks: {tasks} total,   2 running, 640 sleeping,   0 stopped,   0 zombie
%Cpu(s):  3.1 us, 11.2 sy,  0.0 ni, 85.5 id,  0.1 wa,  0.0 hi,  0.1 si,  0.0 st
MiB Mem : 516096.0 total, 402100.0 free,  60100.0 used,  53896.0 buff/cache
MiB Swap:      0.0 total,      0.0 free,      0.0 used. 452100.0 avail Mem

    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
"""
NFSD = TOP.format(tasks=642) + "".join(
    f"  {2200 + at} root      20   0       0      0      0 R  {share}   0.0  91:33.20 nfsd\n"
    for at, share in enumerate((94.1, 93.2, 91.0, 90.1, 88.0))
)
NO_PAGES = TOP.format(tasks=1204) + (
    "      1 root      20   0  185600      0   8000 S   0.0   0.0   0:33.20 systemd\n"
    "   2231 root      20   0  285600      0   4000 S   0.3   0.0   1:33.20 rasdaemon\n"
    "   3311 redis     20   0  985600      0   4000 S   1.3   0.0  91:33.20 redis-server\n"
)
MEMINFO = "$ cat /proc/meminfo\nMemTotal: {} kB\nMemFree: 101204 kB\nMemAvailable: {} kB\n"
STATUS = """\
$ cat /proc/4242/status
Name:	budgetd
State:	S (sleeping)
Pid:	4242
VmSize:	  900000 kB
VmRSS:	  {} kB
VmSwap:	       0 kB
"""
ROLLUP = """\
$ cat /proc/4242/smaps_rollup
55d0c0e00000-7ffd1e5f2000 ---p 00000000 00:00 0                          [rollup]
Rss:              143360 kB
Pss:              140000 kB
"""
UNDERFLOW = """\
# biolatency -mT 1 1
Tracing block device I/O... Hit Ctrl-C to end.

13:05:45
               msecs                         : count     distribution
                   0 -> 1                    : 1        |****                |
                   2 -> 3                    : 5        |********************|
                   4 -> 7                    : 2        |********            |
  18014398509481984 -> 36028797018963967     : 1        |****                |
"""
