"""Readings from iostat."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.readers.sysstat import iostat
from tests.ingest.samples import lines_of, read, rows, values


def test_the_first_report_is_since_boot_and_skipped():
    reading = read(iostat, "iostat/iostat.extended.txt")
    assert min(row["report"] for row in rows(reading, "iostat")) == 2.0
    assert reading.quality_names == set()


def test_a_single_report_is_marked_as_since_boot():
    reading = read(iostat, "iostat/iostat.once.txt")
    assert reading.quality_names == {"since_boot"}
    assert rows(reading, "iostat")


def test_heads_and_rows_that_a_mailer_wrapped_are_whole():
    text = """\
Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s
%rrqm  %wrqm r_await w_await aqu-sz rareq-sz wareq-sz  svctm  %util
sdc           9738.60    1.40  38956.00      5.80     0.40     0.40
0.00  22.22    0.20    9.29   1.93     4.00     4.14   0.07  71.82
"""
    reading = iostat.read(Text(text.splitlines()))
    assert reading.skipped == ()
    assert values(reading, device="sdc")["disk.util_share"] == 0.7182


def test_devices_are_labels_and_units_are_bytes_and_milliseconds():
    reading = read(iostat, "iostat/iostat.iso.txt")
    facts = values(reading, device="vda")
    assert {"disk.written_bytes_per_second", "disk.write_await_ms", "disk.util_share"} <= set(facts)
    last = [line for line in lines_of("iostat/iostat.iso.txt") if line.startswith("vda")][-1]
    assert facts["disk.util_share"] == round(float(last.split()[-1]) / 100, 6)


def test_older_columns_are_blocks_of_512_bytes():
    reading = iostat.read(
        Text(
            [
                "Device:            tps   Blk_read/s   Blk_wrtn/s   Blk_read   Blk_wrtn",
                "sda               1.00         4.00         8.00        100        200",
            ]
        )
    )
    assert values(reading, device="sda")["disk.written_bytes_per_second"] == 8 * 512


def test_a_row_that_does_not_fit_its_header_is_counted():
    reading = iostat.read(Text(["Device  tps  kB_read/s", "sda  1.00  2.00  3.00  4.00  5.00"]))
    assert [(skip.reason, skip.first_line) for skip in reading.skipped] == [("not a row of iostat", 2)]


def test_the_short_table_has_one_column_for_reads_and_writes():
    facts = values(read(iostat, "iostat/iostat.short.txt"), device="vda")
    assert facts["disk.await_ms"] == 3.41
    assert facts["disk.transferred_bytes_per_second"] == 12621.78 * 1024


def test_the_tables_of_one_pretty_report_are_one_report():
    reading = read(iostat, "iostat/iostat.pretty.txt")
    assert {row["report"] for row in rows(reading, "iostat")} == {2.0}
    facts = values(reading, device="vda")
    assert (facts["disk.reads_per_second"], facts["disk.util_share"]) == (620.79, 0.0832)


def test_values_for_people_are_in_their_printed_unit():
    facts = values(read(iostat, "iostat/iostat.human.txt"), device="vda")
    assert facts["disk.read_bytes_per_second"] == 1.5 * 1024 * 1024
    assert facts["disk.requests_per_second"] == 7.92


def test_json_states_what_the_tables_state():
    reading = read(iostat, "iostat/iostat.json")
    assert values(reading)["cpu.user_share"] == 0.6569
    assert values(reading, device="vda")["disk.requests_per_second"] == 376.47
    (fact,) = [
        fact for fact in reading.facts if fact.name == "disk.requests_per_second" and fact.value == 376.47
    ]
    assert '"vda", "tps": 376.47' in lines_of("iostat/iostat.json")[fact.lines.first - 1]


def test_cut_json_is_counted_and_whole_numbers_are_read():
    cut = iostat.read(Text(lines_of("iostat/iostat.json")[:-3]))
    assert [skip.reason for skip in cut.skipped] == ["not the JSON of iostat, or cut off"]
    whole = read(iostat, "iostat/iostat.whole-numbers.txt")
    assert values(whole, device="vda")["disk.reads_per_second"] == 107


@pytest.mark.parametrize(
    ("command", "quality"),
    [("iostat -x 2", "few_samples"), ("iostat -x 2 1", "since_boot"), ("iostat -x", "since_boot")],
)
def test_one_report_without_its_host_line_is_of_a_run_where_the_command_repeats(command, quality):
    lines = [line for line in lines_of("iostat/iostat.once.txt") if not line.startswith("Linux ")]
    assert iostat.read(Text(lines, command=command)).quality_names == {quality}


def test_a_long_run_reads_as_each_of_its_reports_does_alone():
    odd = ["sda no row", "vdb  1.00 2.00 3.00 4.00 5.00k"]
    lines, expected = [], []
    for report in range(2_000):
        lines += [
            f"11/28/2026 10:{report // 60 % 60:02d}:{report % 60:02d} AM",
            "avg-cpu:  %user   %nice %system %iowait  %steal   %idle",
            f"          {report % 50}.00    0.00    2.00    0.50    0.00   50.00",
            "",
            "Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn",
            f"vda             {report % 70}.00      4923.65      5244.62       9847      10489",
        ]
        expected += [(report + 1, len(lines), lines[-6], report % 70)]
        if report == 1_800:
            lines += odd
            expected += [(report + 1, len(lines), lines[-8], 1.0)]
        lines.append("")
    reading = iostat.read(Text(lines))
    (table,) = reading.row_sets
    found = [
        (row["report"], line, row["time_text"], row["requests_per_second"])
        for row, line in zip(rows(reading, "iostat"), table.row_lines, strict=True)
        if row["device"]
    ]
    assert found == expected
    assert [(skip.reason, skip.count) for skip in reading.skipped] == [("not a row of iostat", 1)]
    assert sum(
        row["user_share"] * 100 for row in rows(reading, "iostat") if not row["device"]
    ) == pytest.approx(sum(report % 50 for report in range(2_000)))
