"""Times that something else put before the rows of a table: taken off, and kept as the times of the rows."""

from __future__ import annotations

import pytest

from ingest.model.limits import Limits
from ingest.paste.stamps import unstamped
from ingest.sections.split import split
from ingest.sections.text import read_text

HEAD = " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st"
ROW = "21  9      0 9163900  73936 12524068    0    0 84796  8605 2431 4402 42 24  2 31  1"
STAMPS = (
    "22:01:0{}",
    "[22:01:0{}]",
    "Nov 28 22:01:0{}",
    "2026-11-28 22:01:0{}.125",
    "2026-11-28T22:01:0{}+01:00",
    "11/28/2026 22:01:0{} |",
)


def read(text: str):
    return read_text(iter([text.encode()]), path="", filename="", limits=Limits()).parts


@pytest.mark.parametrize("head", [HEAD, "{} " + HEAD])
@pytest.mark.parametrize("stamp", STAMPS)
def test_rows_below_a_head_are_read_with_their_times(stamp: str, head: str):
    head = head.replace("{}", stamp.format(0))
    text = "\n".join([head, *(f"{stamp.format(at)} {ROW}" for at in range(1, 6))])
    (part,) = read(text)
    assert part.format == "vmstat"
    (rows,) = part.reading.row_sets
    times = rows.cells[rows.columns.index("time_text")]
    assert list(times) == [f"22:01:0{at}" for at in range(2, 6)]


def test_lines_of_a_program_keep_their_times():
    lines = [f"2026-11-28 22:01:0{at} worker {at} took 12 ms for the request" for at in range(8)]
    (part,) = split(lines).parts
    assert not part.is_recognised
    assert part.text.lines[0] == lines[0]


def test_a_tool_that_prints_the_time_itself_is_read_with_it():
    lines = ["22:01:01 CPU %usr %nice %sys %iowait %irq %soft %steal %guest %gnice %idle"]
    lines += [f"22:01:0{at} all 1.00 0.00 2.00 0.00 0.00 0.00 0.00 0.00 0.00 97.00" for at in range(2, 6)]
    (part,) = split(lines).parts
    assert part.reader.NAME == "mpstat"
    assert not part.text.times


@pytest.mark.parametrize("line", ["", "12 34 56", "22:61:00 x", "1.2.3.4:22:01:02", "x" * 100_000])
def test_lines_without_a_time_are_none(line: str):
    assert unstamped([line] * 5) is None
