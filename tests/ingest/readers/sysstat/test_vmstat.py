"""Readings from vmstat."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.sysstat import vmstat
from tests.ingest.samples import lines_of, read, rows, values


def test_the_average_since_boot_is_no_look_at_now():
    reading = read(vmstat, "vmstat/vmstat.narrow.txt")
    lines = lines_of("vmstat/vmstat.narrow.txt")
    assert len(rows(reading, "vmstat")) == len(lines) - 3
    assert [(skip.reason, skip.first_line) for skip in reading.skipped] == [("average since boot", 3)]


def test_a_single_row_is_stored_and_marked_as_since_boot():
    reading = vmstat.read(Text(lines_of("vmstat/vmstat.narrow.txt")[:3]))
    assert reading.quality_names == {"since_boot"}
    assert len(reading.row_sets[0].rows) == 1


def test_shares_are_fractions_and_memory_is_bytes():
    header, columns, first, second = lines_of("vmstat/vmstat.narrow.txt")[:4]
    reading = vmstat.read(Text([header, columns, first, second]))
    printed = dict(zip(columns.split(), second.split(), strict=True))
    facts = values(reading)
    assert facts["cpu.system_share"] == int(printed["sy"]) / 100
    assert facts["memory.free_bytes"] == int(printed["free"]) * 1024
    assert facts["sched.runnable"] == int(printed["r"])


def test_the_option_s_decides_the_unit_of_memory():
    lines = lines_of("vmstat/vmstat.narrow.txt")[:3]
    reading = vmstat.read(Text(lines, command="vmstat -S m 1"))
    assert values(reading)["memory.free_bytes"] == int(lines[2].split()[3]) * 1e6


def test_wide_rows_with_time_stamps_are_read():
    reading = read(vmstat, "vmstat/vmstat.wide-timestamps.txt")
    assert [skip.reason for skip in reading.skipped] == ["average since boot"]
    assert values(reading)["cpu.guest_share"] == 0.0


def test_a_row_cut_short_is_counted():
    lines = lines_of("vmstat/vmstat.narrow.txt")
    reading = vmstat.read(Text([*lines, " 4  0      0 9163"]))
    assert ("not a row of vmstat", 1) in [(skip.reason, skip.count) for skip in reading.skipped]
