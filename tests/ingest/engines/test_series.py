"""The worst window of a series: its onset and end, whatever tool printed the rows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ingest.engines.series.model import Series, series_of
from ingest.engines.series.windows import worst_window
from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.model.section import Text
from ingest.readers import FORMATS

ROWS = 40
READERS = {one.NAME: one for one in FORMATS}


def clock(at: int) -> str:
    """Return the time of a row, past midnight in the middle of the recording."""
    seconds = (86_380 + at) % 86_400
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def vmstat(at: int, *, high: bool) -> list[str]:
    return [f" 1 {40 if high else 0} 0 9 9 9 0 0 0 0 5 6 10 20 70 0 0 2026-11-21 {clock(at)}"]


def sar_u(at: int, *, high: bool) -> list[str]:
    return [
        f"{clock(at)}        all      1.00      0.00     {91 if high else 2}.00      0.00      0.00     7.00"
    ]


def sar_q(at: int, *, high: bool) -> list[str]:
    return [f"{clock(at)}            1       199      0.21      8.00      5.07       {188 if high else 0}"]


def mpstat(at: int, *, high: bool) -> list[str]:
    return [f"{clock(at)}  all  1.00  0.00  {91 if high else 2}.00  0.00  0.00  0.00  0.00  0.00  0.00  7.00"]


def pidstat(at: int, *, high: bool) -> list[str]:
    return [f"{clock(at)}  0  77  1.00  {900 if high else 3}.00  0.00  0.00  {901 if high else 4}.00  1  job"]


def iostat(at: int, *, high: bool) -> list[str]:
    head = "Device   r/s   w/s   rkB/s   wkB/s   r_await   w_await   %util"
    return [f"11/21/2026 {clock(at)}", head, f"sdc 1.00 1.00 4.00 4.00 1.00 {900 if high else 2}.00 9.00", ""]


def top(at: int, *, high: bool) -> list[str]:
    cpu = f"%Cpu(s):  1.0 us, {91 if high else 2}.0 sy,  0.0 ni,  7.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st"
    tasks = "Tasks: 10 total,   1 running,   9 sleeping,   0 stopped,   0 zombie"
    return [f"top - {clock(at)} up 3 days,  1 user,  load average: 0.10, 0.10, 0.10", tasks, cpu, ""]


def dstat(_: int, *, high: bool) -> list[str]:
    return [f"  1  {91 if high else 2:2d}   7   0   0|   0     0 | 100   100 "]


def atop(at: int, *, high: bool) -> list[str]:
    busy = 3600 if high else 60
    cells = f"CPU | sys {busy}% | user 10% | irq 0% | idle {4000 - busy}% | wait 0% | curf 2.00GHz |"
    return [
        f"ATOP - host   2026/11/21   {clock(at)}   --------   1s elapsed",
        cells,
        cells.replace("CPU", "cpu"),
    ]


HEADS = {
    "vmstat": [
        "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp---",
        " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st              UTC",
        *vmstat(-1, high=True),
    ],
    "sar-u": ["23:59:39        CPU     %user     %nice   %system   %iowait    %steal     %idle"],
    "sar-q": ["23:59:39      runq-sz  plist-sz   ldavg-1   ldavg-5  ldavg-15   blocked"],
    "mpstat": ["23:59:39  CPU  %usr  %nice  %sys  %iowait  %irq  %soft  %steal  %guest  %gnice  %idle"],
    "pidstat": ["23:59:39  UID  PID  %usr  %system  %guest  %wait  %CPU  CPU  Command"],
    "dstat": [
        "--total-cpu-usage-- -dsk/total- ---system--",
        "usr sys idl wai stl| read  writ| int   csw ",
        *dstat(0, high=True),
    ],
}
TOOLS = {
    "vmstat": (vmstat, "sched.blocked", 5.0),
    "sar-u": (sar_u, "cpu.system_share", 0.5),
    "sar-q": (sar_q, "sar.blocked", 5.0),
    "mpstat": (mpstat, "cpu.system_share", 0.5),
    "pidstat": (pidstat, "process.cpu.total_share", 5.0),
    "iostat": (iostat, "disk.write_await_ms", 500.0),
    "top": (top, "cpu.system_share", 0.5),
    "dstat": (dstat, "cpu.system_share", 0.5),
    "atop": (atop, "cpu.system_share", 0.5),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_window_in_a_calm_recording_is_found_where_it_is(tool):
    row, name, above = TOOLS[tool]
    chance = np.random.default_rng(len(tool))
    for _ in range(3):
        first = int(chance.integers(2, ROWS - 12))
        last = first + int(chance.integers(1, 9))
        lines = list(HEADS.get(tool, []))
        for at in range(ROWS):
            lines += row(at, high=first <= at <= last)
        reading = READERS[tool.partition("-")[0]].read(Text(lines))
        series = max(series_of(reading, name), key=lambda one: len(one.values))
        window = worst_window(series, above)
        assert window is not None
        assert window.rows == last - first + 1
        texts = lines[window.lines[0] - 1 : window.lines[1]]
        if series.clock:
            assert series.clock[window.first].endswith(clock(first))
            assert series.clock[window.last].endswith(clock(last))
            assert window.seconds == last - first + 1
        else:
            assert texts == [line for at in range(first, last + 1) for line in row(at, high=True)]
        calm = READERS[tool.partition("-")[0]].read(
            Text([*HEADS.get(tool, []), *(line for at in range(ROWS) for line in row(at, high=False))])
        )
        assert all(worst_window(one, above) is None for one in series_of(calm, name))


def series(values, times=None, interval=1.0, *, is_cumulative=False) -> Series:
    own = np.arange(len(values), dtype=float) if times is None else np.array(times, dtype=float)
    return Series(
        "x", {}, "", own, np.array(values, dtype=float), own.astype(np.int32) + 1, (), interval, is_cumulative
    )


def test_the_worst_of_several_windows_is_the_one_furthest_beyond():
    found = worst_window(series([9, 0, 6, 6, 6, 6, 0, 8, 8]), 5)
    assert (found.first, found.last, found.height, found.seconds) == (7, 8, 8.0, 2.0)
    assert worst_window(series([9, 0, 0]), 5, 2.0) is None
    below = worst_window(series([90, 3, 1, 80]), 5, is_below=True)
    assert (below.first, below.last, below.height) == (1, 2, 1.0)


def test_no_window_reaches_over_a_gap_or_a_reset():
    gap = worst_window(series([9, 9, 9, 9], times=[0, 1, 60, 61]), 5)
    assert (gap.first, gap.last, gap.seconds) == (0, 1, 2.0)
    counter = series([0, 100, 200, 5, 105], is_cumulative=True)
    assert [(one.start, one.stop) for one in counter.segments()] == [(0, 3), (3, 5)]
    rates = counter.rates().values
    assert rates[~np.isnan(rates)].tolist() == [100.0, 100.0, 100.0]


def test_injected_windows_are_found_within_one_interval():
    chance = np.random.default_rng(5)
    for _ in range(200):
        size = chance.integers(5, 400)
        values = [chance.random() for _ in range(size)]
        first = chance.integers(size)
        last = min(size - 1, first + chance.integers(20))
        values[first : last + 1] = [chance.uniform(5, 9)] * (last - first + 1)
        found = worst_window(series(values), 2.0)
        assert (found.first, found.last) == (first, last)


def test_counters_of_repeated_files_are_rates():
    facts = tuple(
        Fact("vmstat.pgscan_direct", value, Lines.at(at + 1), "count", {}, at, 100.0 + 10 * at)
        for at, value in enumerate([0.0, 10.0, 9010.0, 9020.0])
    )
    (found,) = series_of(Reading(facts=facts), "vmstat.pgscan_direct")
    window = worst_window(found, 100.0)
    assert (window.first, window.last, window.height) == (2, 2, 900.0)


def test_odd_rows_make_no_error():
    for values in ([], [float("inf")] * 3, [1e29, -1e29], [0.0] * 2):
        assert worst_window(series(values), 5) is None or values[0] > 1
    assert all(one < two for one, two in pairwise(series([1.0, 2.0]).times))
