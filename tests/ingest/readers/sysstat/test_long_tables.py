"""Long tables are read by column, and as their rows are read one by one."""

from __future__ import annotations

import pytest

from ingest.model.row_columns import Numbers
from ingest.model.section import Text
from ingest.readers.commands import ps
from ingest.readers.sysstat import dstat, iostat, vmstat

ROWS = 9000
VMSTAT = (
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----",
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st",
)
DSTAT = ("--total-cpu-usage-- -dsk/total- --sda--", "usr sys idl wai stl| read  writ|util", "")
IOSTAT = ("Device             tps    kB_read/s    kB_wrtn/s  await  %util",)


def test_every_row_of_a_long_vmstat_is_kept():
    rows = [f"{at % 90} 1 0 {at} 0 0 0 0 {at} 0 5 6 10 20 70 0 0" for at in range(ROWS)]
    odd = ["3 1 0 12,5 0 0 0 0 7 0 5 6 10 20 70 0 0", "no row"]
    reading = vmstat.read(Text([*VMSTAT, *rows[:4000], *VMSTAT, *odd, *rows[4000:]]))
    (found,) = reading.row_sets
    assert all(isinstance(column, Numbers) for column in found.cells)
    assert list(found.column("runnable")) == [
        *(at % 90 for at in range(1, 4000)),
        3,
        *(at % 90 for at in range(4000, ROWS)),
    ]
    assert found.column("free_bytes")[3999] == 12.5 * 1024
    assert [found.row_lines[at] for at in (0, 3999, 4000)] == [4, 4005, 4007]
    facts = {fact.name: fact for fact in reading.facts}
    assert facts["cpu.idle_share"].value == pytest.approx(0.7)
    assert [skipped.reason for skipped in reading.skipped] == ["average since boot", "not a row of vmstat"]


def test_units_behind_the_numbers_of_dstat_are_read():
    rows = ["  7  11  61  21   0|  18M   43k|4821", "  7  11  61  21   0|1204B    0 |   2"]
    reading = dstat.read(Text([*DSTAT[:2], *rows * (ROWS // 2)]))
    (found,) = reading.row_sets
    assert len(found) == ROWS - 1
    assert found.rows[1][-2:] == (18 * 1024.0**2, 43 * 1024.0)
    (util,) = [fact for fact in reading.facts if fact.labels]
    assert (util.name, util.labels["device"]) == ("disk.util_share", "sda")


def test_the_time_before_the_groups_of_dstat_is_passed_over():
    head = [
        "----system---- --total-cpu-usage-- -dsk/total-",
        "     time     |usr sys idl wai stl| read  writ",
    ]
    rows = [
        f"28-11 10:{at // 60 % 60:02d}:{at % 60:02d}|  7  11  61  21   0|  18M   {at % 90}k"
        for at in range(ROWS)
    ]
    rows[100] = "28-11 10:01:40|  7  11  61  21   0| missing "
    reading = dstat.read(Text([*head, *rows]))
    (found,) = reading.row_sets
    assert len(found) == ROWS - 1
    assert list(found.column("out_bytes_per_second")[:2]) == [1024.0, 2 * 1024.0]
    assert found.column("out_bytes_per_second")[99] is None
    assert found.column("user_share")[99] == 0.07
    assert not [skipped for skipped in reading.skipped if skipped.reason != "average since boot"]
    assert all(map(dstat.continues, rows))


def test_devices_of_a_long_iostat_keep_their_own_means():
    report = [
        "",
        *IOSTAT,
        "sda 1.00 4.00 0.00 2.50 10.00",
        "a-name-that-is-too-long",
        "    2,00 8,00 0,00 1.25 1.00",
    ]
    reading = iostat.read(Text(["Linux 6.1.0 (h) \t11/21/26 \t_x86_64_\t(2 CPU)", *report * 2000]))
    (found,) = reading.row_sets
    assert len(found) == 2 * 1999
    means = {
        fact.labels["device"]: fact.value for fact in reading.facts if fact.name == "disk.requests_per_second"
    }
    assert means == {"sda": 1.0, "a-name-that-is-too-long": 2.0}


def test_cells_of_a_long_ps_that_are_no_number_stay():
    rows = [f"root {at} 0.5 0.1 10 20 ? S 00:00 0:00 job {at % 7}" for at in range(ROWS)]
    rows[5000] = "root x 0.5 0.1 10 - ? S 00:00 0:00 -"
    (found,) = ps.read(Text(["USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND", *rows])).row_sets
    assert found.rows[4999] == (
        "root",
        4999.0,
        0.005,
        0.001,
        10240.0,
        20480.0,
        "?",
        "S",
        "00:00",
        "0:00",
        "job 1",
    )
    assert found.rows[5000] == ("root", "x", 0.005, 0.001, 10240.0, None, "?", "S", "00:00", "0:00", None)
    assert len(found) == ROWS
