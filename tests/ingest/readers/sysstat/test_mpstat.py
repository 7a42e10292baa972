"""Readings from mpstat."""

from __future__ import annotations

from ingest.evidence import read_bytes
from ingest.model.section import Text
from ingest.readers.sysstat import mpstat
from tests.ingest.samples import DATA, lines_of, read, rows, values


def test_all_cpus_carry_no_label_and_each_its_own():
    reading = read(mpstat, "mpstat/mpstat.average.txt")
    assert "cpu.idle_share" in values(reading)
    assert "cpu.idle_share" in values(reading, cpu="0")
    assert "cpu.idle_share" in values(reading, cpu="1")


def test_the_stated_average_beats_our_own():
    lines = lines_of("mpstat/mpstat.average.txt")
    (average,) = [line for line in lines if line.startswith("Average:") and " all " in line]
    facts = values(read(mpstat, "mpstat/mpstat.average.txt"))
    assert facts["cpu.system_share"] == round(float(average.split()[4]) / 100, 6)


def test_the_host_line_names_the_machine():
    facts = values(read(mpstat, "mpstat/mpstat.all-cpus.txt"))
    assert (facts["host.name"], facts["cpu.online"]) == ("vm", 2.0)


def test_every_interval_is_a_row_and_averages_are_not():
    reading = read(mpstat, "mpstat/mpstat.average.txt")
    assert len(rows(reading, "mpstat")) == 2 * 3
    assert reading.row_sets[0].duration == 2.0


def test_one_report_without_an_interval_is_the_average_since_boot():
    head, _, columns, row, *_ = lines_of("mpstat/mpstat.average.txt")
    stamp = row[:8]
    once = mpstat.read(Text([head, "", stamp + columns[8:], row]))
    assert once.quality_names == {"since_boot"}
    assert mpstat.read(Text([head, "", columns, row])).quality_names == frozenset()


def test_the_table_of_sar_is_not_claimed():
    lines = lines_of("sar/sar-A.txt")
    assert not any(mpstat.begins(lines, at) for at in range(len(lines)))


def test_a_prompt_above_does_not_disturb():
    text = b"$ mpstat -P ALL 1 2\n" + (DATA / "mpstat/mpstat.average.txt").read_bytes() + b"^C\n"
    (section,) = read_bytes(text, name="paste").sections
    assert (section.format, section.command) == ("mpstat", "mpstat -P ALL 1 2")
    assert [skip.reason for skip in section.reading.skipped] == ["interrupt key"]


def test_decimal_commas_are_read():
    lines = [line.replace(".", ",") for line in mpstat.EXAMPLE.splitlines()]
    assert values(mpstat.read(Text(lines)))["cpu.system_share"] == 0.125


def test_the_topology_is_no_share_and_leaves_the_row_of_all_cpus_short():
    facts = values(read(mpstat, "mpstat/mpstat.topology.txt"))
    assert facts["cpu.user_share"] == 0.532
    assert values(read(mpstat, "mpstat/mpstat.topology.txt"), cpu="1")["cpu.user_share"] == 0.4706


def test_json_and_whole_numbers_are_read():
    reading = read(mpstat, "mpstat/mpstat.json")
    assert values(reading)["cpu.user_share"] == 0.5625
    assert [row["time_text"] for row in rows(reading, "mpstat")] == ["04:02:50", "04:02:51"]
    assert values(read(mpstat, "mpstat/mpstat.whole-numbers.txt"), cpu="0")["cpu.user_share"] == 0.5
