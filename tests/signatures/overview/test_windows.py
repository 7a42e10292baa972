"""What was high for a while only is stated, with its time; a mean hides it or never was."""

from __future__ import annotations

import pytest

from tests.signatures.overview.test_true_numbers import texts_of

VMSTAT = (
    "$ vmstat 1 30\n"
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
)
SAR_U = (
    "Linux 6.1.0-18-amd64 (web12) \t11/21/2026 \t_x86_64_\t(8 CPU)\n\n"
    "12:00:01 AM     CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
)
DEVICES = "Device            r/s     w/s     rkB/s     wkB/s  r_await w_await  aqu-sz  %util\n"


def vmstat(blocked: int, kernel: int, waiting: int) -> str:
    calm = " 1 0 0 9000000 9000 900000 0 0 10 10 500 600 5 2 92 1 0\n"
    idle = 95 - kernel - waiting
    high = f" 1 {blocked} 0 9000000 9000 900000 0 0 10 10 500 600 5 {kernel} {idle} {waiting} 0\n"
    return VMSTAT + calm * 14 + high * 3 + calm * 13


def sar_u(*kernel: float) -> str:
    rows = (
        f"12:{at:02d}:01 AM  all  1.00  0.00  {one:.2f}  0.00  0.00  {97 - one:.2f}\n"
        for at, one in enumerate(kernel, 1)
    )
    return SAR_U + "".join(rows)


def sar_q(*blocked: int) -> str:
    head = "12:00:01      runq-sz  plist-sz   ldavg-1   ldavg-5  ldavg-15   blocked\n"
    return head + "".join(
        f"12:{at:02d}:01  0  199  0.21  8.00  5.07  {one}\n" for at, one in enumerate(blocked, 1)
    )


def iostat(*waits: float) -> str:
    return "\n".join(
        f"{DEVICES}sdc 0.00 210.00 0.00 840.00 0.00 {one:.2f} 1.00 {min(one / 8, 100):.2f}\n" for one in waits
    )


def one_flush(writes: float) -> str:
    """Return six intervals of a device, in one of which its writes took 815 ms."""
    return "\n".join(
        f"{DEVICES}sdc 0.00 {writes:.2f} 0.00 8.00 0.00 {one:.2f} 0.01 0.10\n" for one in (2, 2, 815, 2, 2, 2)
    )


def switches(usual: int, high: int) -> str:
    row = " 1 0 0 9000000 9000 900000 0 0 10 10 500 {} 5 2 92 1 0\n"
    return VMSTAT + row.format(usual) * 14 + row.format(high) * 3 + row.format(usual) * 13


def looks(path: str, *texts: str) -> str:
    """Return looks at a file, 10 s apart, below the times that `date +%s.%N` prints."""
    return "".join(f"{1795846624 + 10 * at}.942180571\n==> {path} <==\n{one}" for at, one in enumerate(texts))


def pressure(*shares: float) -> str:
    totals = [sum(shares[: at + 1]) * 1e7 for at in range(len(shares))]
    line = "{} avg10={:.2f} avg60=2.10 avg300=1.00 total={:.0f}\n"
    return looks(
        "/proc/pressure/memory",
        *(
            line.format("some", 100 * one, total) + line.format("full", 100 * one, total)
            for one, total in zip(shares, totals, strict=True)
        ),
    )


def meminfo(*available: int) -> str:
    return looks(
        "/proc/meminfo",
        *(f"MemTotal: 16000000 kB\nMemFree: 90000 kB\nMemAvailable: {one} kB\n" for one in available),
    )


def counted(*pages: int) -> str:
    sums = [1_000_000 + sum(pages[: at + 1]) for at in range(len(pages))]
    return looks("/proc/vmstat", *(f"nr_free_pages 952678\npgscan_direct {one}\npgfault 9\n" for one in sums))


def links(*drops: int) -> str:
    """Return looks at an interface, each below a clock, 2 s apart."""
    sums = [100 + sum(drops[: at + 1]) for at in range(len(drops))]
    return "".join(
        f"10:00:{2 * at:02d}\n4: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 state UP\n"
        "    link/ether 02:fc:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
        "    RX:  bytes packets errors dropped  missed   mcast\n"
        f"    23768092{at:02d}   76{at:02d}39      0  {one}       0       0\n"
        "    TX:  bytes packets errors dropped carrier collsns\n"
        f"       35364{at:02d}   40{at:02d}8      0       0       0       0\n"
        for at, one in enumerate(sums)
    )


def disks(*busy: int) -> str:
    """Return looks at a disk with its busy milliseconds in each second."""
    sums = [900_000 + sum(busy[: at + 1]) for at in range(len(busy))]
    row = " 254 0 vda 4171616 328853 492532178 6205742 6162341 6650033 528480616 4497521 0 {} 11396571"
    return "".join(f"{1_795_893_083 + at}\n{row.format(one)}\n" for at, one in enumerate(sums))


def sar_pressure(*full: float) -> str:
    head = "12:00:01  %smem-10  %smem-60  %smem-300  %smem  %fmem-10  %fmem-60  %fmem-300  %fmem\n"
    return head + "".join(
        f"12:{at:02d}:01  {one:.2f}  1.00  0.50  {one:.2f}  {one:.2f}  1.00  0.50  {one:.2f}\n"
        for at, one in enumerate(full, 1)
    )


FAULTS = "12:00:00  UID  PID  minflt/s  majflt/s  VSZ  RSS  %MEM  Command\n" + "".join(
    f"12:00:{at:02d}  0  77  10.00  {made:.2f}  54000  22000  0.09  job\n"
    for at, made in enumerate([3] * 5 + [1500] * 3 + [3] * 5, 1)
)

MOVING = "12:00:00  UID  PID  %usr  %system  %guest  %wait  %CPU  CPU  Command\n" + "".join(
    f"12:00:{at:02d}  0  77  1.00  {used:.2f}  0.00  0.00  {used + 1:.2f}  {at % 4}  job\n"
    for at, used in enumerate([3] * 5 + [1500] * 3 + [3] * 5, 1)
)

PIDSTAT = "12:00:00  UID  PID  %usr  %system  %guest  %wait  %CPU  CPU  Command\n" + "".join(
    f"12:00:{at:02d}  0  77  1.00  {used:.2f}  0.00  0.00  {used + 1:.2f}  1  job\n"
    for at, used in enumerate([3] * 5 + [1500] * 2 + [3] * 5, 1)
)


@pytest.mark.parametrize(
    ("text", "value", "when", "mean"),
    [
        (vmstat(40, 2, 1), "40 tasks are blocked", "for 3 s", "(mean 4.14 in 29 s)"),
        (
            vmstat(0, 92, 1),
            "92 % of CPU time is kernel time",
            "13 s after the first row, for 3 s",
            "(mean 11",
        ),
        (vmstat(0, 2, 88), "88 % of CPU time is waiting for IO", "for 3 s", "(mean 10 % in"),
        (
            sar_u(2, 57, 91, 2, 2, 2),
            "91 % of CPU time is kernel time",
            "from 12:02:01 AM for 2 min",
            "(mean 26 % in 6 min)",
        ),
        (sar_u(*[2] * 9, 88), "88 % of CPU time is kernel time", "from 12:10:01 AM for 1 min", "in 10 min)"),
        (sar_q(0, 0, 0, 188, 0, 0), "188 tasks are blocked", "from 12:04:01 for 1 min", "in 6 min)"),
        (iostat(815, 2), "Writes of sdc take 815 ms", "in 1 of 2 rows", "(mean 408.5 ms)"),
        (PIDSTAT, "job uses", "from 12:00:06 for 2 s", "(mean"),
        (MOVING, "job uses", "from 12:00:06 for 3 s", "(mean"),
        (one_flush(210), "Writes of sdc take 815 ms", "in 1 of 6 rows", "(mean"),
        (switches(700, 90_000), "90,000 context switches", "for 3 s", "(mean 9,938 in 29 s)"),
        (
            pressure(0, 0, 0, 0.9, 0.8, 0.9, 0.85, 0, 0, 0),
            "All tasks are stalled on memory 90 % of the time",
            "30 s after the first row, for 40 s",
            "in 100 s)",
        ),
        (
            meminfo(8_000_000, 8_000_000, 160_000, 160_000, 8_000_000),
            "1 % of memory is available",
            "20 s after the first row, for 20 s",
            "(mean 30",
        ),
        (
            counted(0, 0, 0, 90_000, 60_000, 0, *[0] * 19),
            "9,000 pages are scanned by direct reclaim per second",
            "30 s after the first row, for 20 s",
            "(mean 625 in 4.2 min)",
        ),
        (
            links(*[0] * 3, 60, 80, *[0] * 9),
            "40 received packets are dropped per second on eth0",
            "for 4 s",
            "(mean",
        ),
        (disks(*[20] * 5, 990, 1000, 980, 990, *[20] * 9), "Device vda is busy 100 %", "for 4 s", "(mean"),
        (sar_pressure(0, 0, 91, 90, 0, 0), "All tasks are stalled on memory 91 %", "for 2 min", "(mean"),
        (FAULTS, "job makes 1,500 major page faults per second", "from 12:00:06 for 3 s", "(mean"),
    ],
    ids=[
        *("blocked", "kernel-time", "iowait", "sar", "one-sample", "sar-q", "first-report", "process"),
        *("moving-process", "busy-disk", "switches", "pressure", "memory", "reclaim"),
        *("dropped packets", "looks at a disk", "pressure of sar", "major faults"),
    ],
)
def test_a_window_is_stated_with_its_time_and_the_mean_second(text, value, when, mean):
    stated = next(one for one in texts_of(text) if value in one)
    assert when in stated
    assert mean in stated


def test_a_number_that_never_was_is_not_told():
    assert not [
        one for one in texts_of(vmstat(40, 2, 1)) if one.startswith(("4", "0 to")) and "40" not in one
    ]


def test_no_device_is_called_calm_beside_a_window():
    assert not [one for one in texts_of(iostat(815, 2)) if "No device is above" in one or "no device" in one]


@pytest.mark.parametrize(
    "text",
    [
        *(vmstat(2, 10, 5), sar_u(2, 30, 45, 2), sar_q(0, 1, 2, 1), iostat(20, 90, 20)),
        *(
            one_flush(4),
            switches(30_000, 90_000),
            pressure(0, 0, 0.9, 0, 0),
            meminfo(*[8_000_000] * 4),
            counted(*[900] * 9),
        ),
    ],
    ids=[
        "vmstat",
        "u",
        "q",
        "io",
        "idle-disk",
        "busy-switches",
        "short-stall",
        "much-memory",
        "little-reclaim",
    ],
)
def test_calm_recordings_have_no_window(text):
    assert not [one for one in texts_of(text) if "(mean" in one]


def test_high_throughout_is_stated_by_the_mean():
    assert [
        one
        for one in texts_of(sar_u(88, 89, 90))
        if "of CPU time is kernel time" in one and "(mean" not in one
    ]


def top_screens(*available: float) -> str:
    """Return screens of top -b, one a second."""
    return "\n".join(
        f"top - 10:01:{at:02d} up 12 days,  3:04,  2 users,  load average: 0.12, 0.40, 0.00\n"
        "Tasks: 290 total,   1 running, 289 sleeping,   0 stopped,   0 zombie\n"
        "%Cpu(s):  2.1 us,  3.0 sy,  0.0 ni, 93.9 id,  1.0 wa,  0.0 hi,  0.0 si,  0.0 st\n"
        "MiB Mem :  64000.0 total,  1386.6 free,  30261.6 used,   2191.4 buff/cache\n"
        f"MiB Swap:      0.0 total,      0.0 free,      0.0 used.  {one:.1f} avail Mem\n"
        for at, one in enumerate(available)
    )


def sar_r(*available: int) -> str:
    """Return rows of sar -r on a host with 16,000,000 kB."""
    head = "12:00:00  kbmemfree  kbavail kbmemused  %memused kbbuffers kbcached kbcommit %commit  kbdirty\n"
    row = "12:00:{:02d}      200000  {}  12000000     75.00     9000    900000   9000000     20.00   40\n"
    return (
        SAR_U.partition("\n\n")[0]
        + "\n\n"
        + head
        + "".join(row.format(*one) for one in enumerate(available, 1))
    )


def proc_stat(*kernel: int, is_timed: bool = True) -> str:
    """Return looks at /proc/stat of 8 CPUs, one a second, with ticks of kernel time up to each."""
    cpus = "".join(f"cpu{at} 100 0 50 900 12 0 44 9 0 0\n" for at in range(8))
    return "$ while :; do date +%s.%N; cat /proc/stat; sleep 1; done\n" + "".join(
        (f"{1764000000 + at}.000000000\n" if is_timed else "")
        + f"cpu  {100000 + at} 0 {50000 + sum(kernel[: at + 1])} 900000 12 0 4421 901 0 0\n{cpus}ctxt 88\n"
        for at in range(len(kernel))
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            top_screens(*[30000.0] * 4, *[600.0] * 4, *[30000.0] * 6),
            "0.94 % of memory is available from 10:01:04 for 4 s",
        ),
        (top_screens(*[30000.0] * 9), ""),
        (
            sar_r(*[9000000] * 4, *[300000] * 4, *[9000000] * 4),
            "1.88 % of memory is available from 12:00:05 for 4 s",
        ),
        (sar_r(*[9000000] * 9), ""),
        (proc_stat(*[10] * 4, *[600] * 3, *[10] * 3), "75 % of CPU time is kernel time"),
        (proc_stat(*[10] * 4, *[600] * 3, *[10] * 3, is_timed=False), ""),
        (proc_stat(*[10] * 10), ""),
    ],
)
def test_memory_and_kernel_time_are_judged_row_by_row(text, said):
    found = [one for one in texts_of(text) if "is available from" in one or "is kernel time" in one]
    assert bool(found) == bool(said)
    assert all(one.startswith(said) for one in found)


def test_a_counter_without_times_has_no_rate():
    looks = "".join(
        f"nr_free_pages 493925\npswpin {at}\npswpout 0\npgscan_direct 0\n" for at in (0, 0, 300, 300)
    )
    assert not [one for one in texts_of(f"$ cat /proc/vmstat\n{looks}") if "per second" in one]


def plain_iostat(seconds: int, *waiting: float) -> str:
    """Return reports of iostat without times, of which the totals say how far apart they are."""
    return "".join(
        "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
        f"           5.01    0.00    2.20   {one:.2f}    0.00   {92.79 - one:.2f}\n\n"
        "Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\n"
        f"vda    332.77    4923.65    5244.62  {4923.65 * seconds:9.0f}  {5244.62 * seconds:9.0f}\n\n"
        for one in waiting
    )


@pytest.mark.parametrize(("seconds", "said"), [(2, "for 4 s"), (5, "for 10 s")])
def test_the_interval_of_iostat_is_what_was_read_by_how_fast(seconds, said):
    found = [
        one for one in texts_of(plain_iostat(seconds, 0.5, 0.5, 31, 31, 0.5, 0.5)) if "waiting for IO" in one
    ]
    assert len(found) == 1
    assert said in found[0]
