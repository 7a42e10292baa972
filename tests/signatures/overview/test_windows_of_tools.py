"""A table with times and numbers is a series, whichever tool printed it; so are looks at unnamed files.

The rows are those of a calm virtual machine (collectl 4.3, nicstat 1.95, bwm-ng 0.6, nmon 16n, atop 2.8,
procps 4.0), in which one quantity was raised for some intervals.
"""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run

ROWS = 20
HIGH = range(5, 8)
"""The rows with the window: from 10:00:05 for 3 s."""


def at(row):
    return f"10:00:{row:02d}"


def of(row, calm, high):
    return high if row in HIGH else calm


def text(line):
    return "".join(map(line, range(ROWS)))


def nicstat(row):
    return (
        f"{at(row)}      RdKB    WrKB   RdPkt   WrPkt   IErr  OErr  Coll  NoCP Defer  %Util\n"
        "lo            0.00    0.00    0.00    0.00   0.00  0.00  0.00  0.00  0.00   0.00\n"
        f"eth0         46.87    0.07    1.54    0.83   {of(row, 0, 20.77):.2f}  0.00  0.00  0.0  0.0   0.0\n"
    )


def collectl_plain(row):
    return (
        f"20261128 {at(row)}    6   4   841  {of(row, 1658, 48796)}      0      0     24      1    0    0\n"
    )


COLLECTL_HEAD = (
    "#                  <--------CPU--------><----------Disks-----------><--Network-->\n"
    "#Date    Time      cpu sys inter  ctxsw KBRead  Reads KBWrit Writes   KBIn  PktIn\n"
)


def collectl(row):
    return (
        f"### RECORD    {row} >>> vm <<< (179589295{row:02d}.001) (Sat Nov 28 {at(row)} 2026) ###\n\n"
        "# SINGLE CPU STATISTICS\n"
        "#Time        Cpu  User Nice  Sys Wait IRQ  Soft Steal Guest NiceG Idle\n"
        f"{at(row)}       0     1   30   11    0    0    0     0     0     0   56\n"
        f"{at(row)}       1     0   20    6    0    0 {of(row, 0, 41):4}     0     0     0   22\n\n"
        "# NETWORK STATISTICS (/sec)\n"
        "#Time     Num    Name   KBIn  PktIn SizeIn  MultI   CmpI  ErrsI  KBOut PktOut\n"
        f"{at(row)}    0      lo      0      0      0      0      0      0      0      0\n\n"
    )


def bwm(row):
    high = of(row, 0, 20.89)
    zeros = "0.00;0.00;0.00;0;0;"
    return "".join(
        f"{1795893039 + row}.1165;{name};{zeros}{zeros}0.00;{value:.2f};0;0;{zeros[:-1]}\n"
        for name, value in (("lo", 0), ("eth0", high), ("total", high))
    )


NMON_HEAD = (
    "AAA,progname,nmon\nAAA,interval,1\n"
    "CPU_ALL,CPU Total vm,User%,Sys%,Wait%,Idle%,Steal%,Busy,CPUs\n"
    "DISKBUSY,Disk %Busy vm,vda,vdb\n"
)


def nmon(row):
    key = f"T{row:04d}"
    return (
        f"ZZZZ,{key},{at(row)},28-NOV-2026\n"
        f"CPU_ALL,{key},4.1,6.2,{of(row, 0.4, 30.9)},50.0,0.0,,2\n"
        f"DISKBUSY,{key},2.0,{of(row, 1.5, 99.1)}\n"
    )


def atop(row):
    mark = "RESET" if row == 0 else "SEP"
    seconds, steal = (49436, 4741) if row == 0 else (1, of(row, 0, 80))
    head = f"vm {1795892951 + row} 2026/11/28 {at(row)} {seconds}"
    return (
        f"{mark}\nCPU {head} 100 2 22 17 20 59 2 0 0 {steal} 0 5192 100 0 0\n"
        f"DSK {head} vda 12 3 24 1 8 0 0 0 0.50\n"
    )


def statistics(row):
    swapped = 280_000 + sum(of(one, 0, 281) for one in range(row + 1))
    return (
        f"Sat Nov 28 {at(row)} UTC 2026\n     24684100 K total memory\n      1090776 K used memory\n"
        f"      2942799 non-nice user cpu ticks\n       {swapped} pages swapped out\n"
        "     63407670 interrupts\n"
    )


def pressure(row, full=0.9):
    total = sum(of(one, 0, full) for one in range(row + 1)) * 1e6
    line = "{} avg10={:.2f} avg60=0.48 avg300=0.63 total={:.0f}\n"
    some = sum(0.25 for _ in range(row + 1)) * 1e6
    return (
        f"Sat Nov 28 {at(row)} UTC 2026\n"
        + line.format("some", 25.11, 33_630_000_000 + some)
        + line.format("full", 0, 0)
        + line.format("some", of(row, 0, 20), total)
        + line.format("full", of(row, 0, 20) if full > 0.5 else 0, total)
    )


def cgroup_free(row):
    return pressure(row, full=0.02)


def panels(printed):
    return run(items_of([read_bytes(printed.encode(), name="x.txt")]))


@pytest.mark.parametrize(
    ("printed", "value", "when"),
    [
        (text(nicstat), "20.8 received packets have errors per second on eth0", f"from {at(5)} for 3 s"),
        (COLLECTL_HEAD + text(collectl_plain), "48,796 context switches per second", f"from {at(5)} for 3 s"),
        (text(collectl), "41 % of the time of CPU 1 is soft interrupts", f"from {at(5)} for 3 s"),
        (text(bwm), "20.9 received packets have errors per second on eth0", "for 3 s"),
        (NMON_HEAD + text(nmon), "30.9 % of CPU time is waiting for IO", f"from {at(5)} for 3 s"),
        (NMON_HEAD + text(nmon), "Device vdb is busy 99.1 % of the time", f"from {at(5)} for 3 s"),
        (text(atop), "40 % of CPU time is stolen by the hypervisor", f"from {at(5)} for 3 s"),
        (text(statistics), "281 pages are swapped out per second", "5 s after the first row, for 3 s"),
        (text(pressure), "All tasks are stalled on a resource that the lines do not name 90 %", "5 s after"),
    ],
    ids=["nicstat", "collectl", "detail", "bwm-ng", "nmon", "disks", "atop", "vmstat-s", "pressure"],
)
def test_a_window_is_found_in_the_output_of_any_tool(printed, value, when):
    stated = [one.text for panel in panels(printed) for one in panel.statements if value in one.text]
    assert stated
    assert when in stated[0]


def test_stalls_that_may_be_waits_for_a_cpu_are_no_alarm_without_the_name_of_the_resource():
    found = panels(text(cgroup_free))
    assert [one.text for panel in found for one in panel.statements if one.kind == "alarm"] == []
    assert not any("scheduling" in panel.assesses for panel in found)


def test_rows_of_iostat_without_their_head_are_of_their_device():
    calm = "sdc 0.00 0.00 0.00 16.00 0.00 2048.00 256.00 0.14 8.00 0.00 8.00 7.50 12.00\n"
    high = "sdc 0.00 0.00 0.00 1066.00 0.00 135430.00 254.09 9.96 9.34 0.00 9.34 0.94 100.00\n"
    stated = [one.text for panel in panels(calm * 4 + high * 5) for one in panel.statements]
    assert any(one.startswith("Device sdc is busy 100 % of the time in 5 of 9 rows") for one in stated)
