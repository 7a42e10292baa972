"""Large, wide, ragged and binary tables: bounded time and memory, and what was not looked at is counted.

`make sweeps` runs them with a gigabyte in a process of their own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ingest.engines.quantities.splitter import MOST_LINES
from ingest.evidence import read_bytes, read_paths
from ingest.readers.logs.text.split_rows import BEYOND, WIDE
from tests.long_form import IS_LONG

if TYPE_CHECKING:
    from pathlib import Path

MOST_MEMORY = 900 << 20
MOST_CPU_SECONDS = 240
LINES = MOST_LINES + 500


def skipped(content):
    (section,) = read_bytes(content, name="x.csv").sections
    return {one.reason: one.count for one in section.reading.skipped}


@pytest.mark.parametrize(
    ("content", "reason", "count"),
    [
        (b"time,load,await\n" + b"10:00:00,1.5,7\n" * LINES, BEYOND, LINES + 1 - MOST_LINES),
        (
            b",".join(b"c%d" % at for at in range(10_000)) + b"\n" + b",".join([b"1"] * 10_000) + b"\n",
            WIDE,
            2,
        ),
        (b"a," * 300 + b"b\n" + (b"1," * 300 + b"2\n") * 40, WIDE, 41),
        ((b"a," * 10_000 + b"b\n") * 300, BEYOND, 90),
        (b"NAME  STATUS\n" + b"web-1  CrashLoopBackOff\n" * LINES, BEYOND, LINES + 1 - MOST_LINES),
    ],
)
def test_what_is_not_looked_at_is_counted(content, reason, count):
    assert skipped(content).get(reason) == count


@pytest.mark.parametrize("content", [b"x=1," * 300_000, b"a  b\0c  7\n  1\n" * 3_000, b"\0" * 3_000_000])
def test_one_long_line_ragged_rows_and_nul_end_with_a_reading(content):
    assert read_bytes(content, name="x").sections or content.startswith(b"\0")


WRITE = "import sys; f = open(sys.argv[1], 'wb'); [f.write({row} * {times}) for _ in range(1024)]"


@pytest.mark.skipif(not IS_LONG, reason="a gigabyte each: make sweeps")
@pytest.mark.parametrize(
    ("row", "times"), [("b'2026-03-01 10:00:00,sda,12.5,0.3,99.1,7\\n'", 25_575), ("b'x=1,'", 262_144)]
)
def test_a_gigabyte_is_read_in_bounded_memory(tmp_path: Path, row, times):
    large = tmp_path / "large.csv"
    subprocess.run([sys.executable, "-c", WRITE.format(row=row, times=times), str(large)], check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "cli", "analyze", str(large)]
    subprocess.run(command, check=False, capture_output=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert used.ru_maxrss * 1024 < MOST_MEMORY
    assert used.ru_utime - before.ru_utime < MOST_CPU_SECONDS


def test_rows_around_a_hole_of_nuls_are_read():
    rows = b"10:00:00,1.5,7\n" * 50
    (section,) = read_bytes(b"time,load,await\n" + rows + bytes(3 << 20) + rows, name="x.csv").sections
    (table,) = section.reading.row_sets
    assert len(table.row_lines) >= 99


def test_a_file_that_is_cut_in_the_middle_of_a_cell_is_read(tmp_path: Path):
    cut = tmp_path / "cut.csv"
    cut.write_bytes((b"time,load,await\n" + b"10:00:00,1.5,7\n" * 50)[:-4])
    (evidence,) = read_paths([cut])
    assert evidence.sections[0].reading.row_sets
