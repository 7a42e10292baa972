"""Readings from iostat."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.sysstat import iostat
from tests.ingest.samples import lines_of, read, rows, values


def test_the_first_report_is_since_boot_and_skipped():
    reading = read(iostat, "iostat/iostat.extended.txt")
    assert min(row["report"] for row in rows(reading, "iostat")) == 2.0
    assert reading.quality_names == set()


def test_a_single_report_is_marked_as_since_boot():
    reading = read(iostat, "iostat/iostat.once.txt")
    assert reading.quality_names == {"few_samples"}
    assert rows(reading, "iostat")


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
