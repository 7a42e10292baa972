"""Tables, keys and status lines of tools that nobody listed, and what their names mean."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml

from ingest.engines.quantities.grid import LINES, SUBJECT, TABLE, VALUES, row_set
from ingest.engines.quantities.meanings import meaning_of, meanings
from ingest.engines.quantities.splitter import MOST_LINES, grids_of
from tests.ingest.samples import DATA

ROOT = Path(__file__).parents[3]
SHOWN = ROOT / "benchmarks/pool/shown"
LEAST_MEANINGS = 150


def split(text):
    """Return the grids of a text."""
    return grids_of(text.split("\n")).grids


def shown(name):
    """Return the grids of a case of the pool."""
    return split((SHOWN / name).read_text())


@pytest.mark.parametrize(
    ("name", "form", "columns", "rows"),
    [
        ("series/001.txt", TABLE, {("bandwidth write", "bytes_per_second"), ("operations read", "")}, 14),
        ("series/006.txt", LINES, {("Transfer", "bytes"), ("Lost share", "share")}, 18),
        ("series/008.txt", LINES, {("Actual DISK WRITE", "bytes_per_second")}, 15),
        ("series/011.txt", LINES, {("mem avail", "bytes"), ("mem avail (limit)", "bytes")}, 11),
        ("tables/005.txt", TABLE, {("RTT_p50", ""), ("ICMP%", "")}, 5),
        ("tables/028.txt", LINES, {("VALUE", ""), ("RAW_VALUE", "")}, 2),
        ("tables/029.txt", TABLE, {("CKSUM", "")}, 16),
    ],
)
def test_rows_have_the_names_and_units_of_their_head_or_of_their_own_words(name, form, columns, rows):
    first = shown(name)[0]
    assert (first.form, len(first.rows)) == (form, rows)
    assert columns <= set(first.columns)


@pytest.mark.parametrize(
    ("text", "form", "key"),
    [
        ("nr_periods 10\nnr_throttled 7\nthrottled_usec 93", VALUES, "nr_throttled"),
        ('{"name": "db", "mem": {"used": 7}}', VALUES, "mem used"),
        ('up{job="a b"} 1\nhttp_seconds_total{code="5xx"} 7', VALUES, "http_seconds_total"),
        ("zones:\n  Normal:\n    free: 1\n    min: 2\n    low: 3", VALUES, "min"),
        ("throttled=0x50005", VALUES, "throttled"),
        ("| disk | read | bad |\n|---|---:|---|\n| sda | 12 ms | 0 |\n| sdb | 14 ms | 3 |", TABLE, "read"),
        ("disk,reads,bad\nsda,12,0\nsdb,14,3", TABLE, "reads"),
        ("disk\treads\nsda\t12\nsdb\t14", TABLE, "reads"),
        ("# host;time;%user;%idle\nvm;10:00:01;3.1;96.9\nvm;10:00:02;3.0;97.0", TABLE, "%idle"),
        ("usr sys idl| 1m  5m 15m\n 74  10  16|1.8 4.0 5.1\n 87  13   0|1.8 4.0 5.1", TABLE, "idl"),
        (
            "Caller  Avg Spin Total spin\n f+0x1        36         54\n g+0x2        28         33",
            TABLE,
            "Total spin",
        ),
        (
            "read:      ops/s    kB/s    avg exe (ms)\n          96.123    12.1        1203.120",
            TABLE,
            "avg exe (ms)",
        ),
        (
            "PID  USER   DISK WRITE  COMMAND\n17   x     102.1 M/s   a b\n18   x       1.8 M/s   c",
            TABLE,
            "DISK WRITE",
        ),
        ("%Cpu(s): 63.2 us, 21.1 sy,  0.0 id", VALUES, "us"),
        ("CPU | sys  19% | user  149% | idle  31% | wait  1% |", VALUES, "idle"),
        (
            "link mlx5_0/1 out_of_buffer 0 duplicate_request 0 local_ack_timeout_err 8",
            VALUES,
            "local_ack_timeout_err",
        ),
        ('<cpu number="all" user="51.5" system="16.5" idle="0.0"/>', VALUES, "idle"),
        (
            "\n".join(f"vm\t1\tall\t{name}\t1.5" for name in ("%user", "%idle", "%steal", "%iowait")),
            VALUES,
            "%idle",
        ),
        ('[\n {"device": "sda",\n  "util": 99.5, "r_await": 180.2}\n]', VALUES, "r_await"),
    ],
)
def test_every_form_is_split(text, form, key):
    found = next(one for one in split(text) if one.form == form)
    names = {str(row[1]) for row in found.rows} if form == VALUES else {name for name, _ in found.columns}
    assert key in names


PROSE = """\
We saw 3 hosts fail between 10 and 12 o'clock, and 2 of 5 came back.
It took 20 minutes until somebody looked at the 2 others, which had 64 GB each.
Then 7 more went away, 5 of them in rack 12.
"""


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "\n".join(
            f"2026-11-21T10:00:{at:02d} INFO worker[12]: done 5 of {at} jobs in 12 ms" for at in range(9)
        ),
        "\n".join(f"[{at}.123456] usb 1-1: new high-speed USB device number {at}" for at in range(9)),
        (DATA / "text/sos.log").read_text(),
        (DATA / "text/cloud-init.log").read_text(),
    ],
)
def test_prose_and_logs_are_left_alone(text):
    assert split(text) == ()


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("PID  USER  %CPU  COMMAND\n17   x     3.1   a\n18   x     2.9   b", ["a (PID 17)", "b (PID 18)"]),
        ("Core CPU Busy%\n0    0   1.5\n0    4   99.9", ["Core 0 CPU 0", "Core 0 CPU 4"]),
        (
            "total wait  type   caller\n 12 us  mutex  f\n 13 us  mutex  g\n 9 us  mutex  h",
            ["f", "g", "h"],
        ),
        ("us  sy  id\n99   1   0\n98   2   0", None),
        (
            "10:00:01 PM  CPU   %usr  %idle\n10:00:02 PM  all   3.10  96.90\n10:00:02 PM    1   3.00  97.00",
            ["all", "CPU 1"],
        ),
    ],
)
def test_rows_are_of_what_tells_them_apart(text, subjects):
    (grid,) = split(text)
    names = [name for name, _ in grid.columns]
    found = [row[names.index(SUBJECT)] for row in grid.rows] if SUBJECT in names else None
    assert found == subjects


@pytest.mark.parametrize(
    "text",
    [
        ",".join(f"c{at}" for at in range(10_000)) + "\n" + ",".join(["1"] * 10_000),
        "a,b,c\n" + "1,2,3\n" * 60_000,
        "7" * 30_000_000,
        "x=1 " * 3_000_000,
        "a  b  c\n1  2\n1  2  3  4  5\n\0\0\0 1 2\n" * 1000,
        "".join(f"key_{at}: {at} kB\n" for at in range(20_000)),
        "".join(f"name_{at} other words\n" for at in range(20_000)) + "x 7",
        "name other words\nname 7 words\n" * 10_000,
        "v: " + "9" * 400 + "\nw: nan\nx: -inf\n",
    ],
)
def test_large_ragged_and_broken_input_ends_in_time(text):
    begun = time.process_time()
    found = grids_of(text.split("\n"))
    # Of linear work a tenth of it; of quadratic work minutes, on a machine with other work too.
    assert time.process_time() - begun < 20
    assert found.beyond == max(0, text.count("\n") + 1 - MOST_LINES)
    for grid in found.grids:
        assert len(row_set(grid)) == len(grid.lines)


def test_the_dictionary_has_distinct_meanings_met_in_two_tools():
    every = meanings()
    assert len({(one.quantity, one.of) for one in every}) == len(every)
    assert len({(one.quantity, one.of) for one in every if len(one.met_in) > 1}) >= LEAST_MEANINGS
    assert [one.quantity for one in every if not one.met or not one.lookalikes] == []
    assert [one.quantity for one in every if one.normal and not one.normal.source] == []


def test_every_name_stands_where_its_source_says():
    sources = yaml.safe_load((DATA / "expected/quantity_sources.yaml").read_text())
    wrong = []
    for one in meanings():
        found = sources.get(f"{one.quantity} of {one.of}", {})
        if tuple(found) != one.met_in:
            wrong.append(f"{one.quantity} of {one.of}: {one.met_in} and not {tuple(found)}")
        for tool, source in found.items():
            file = ROOT / source
            if file.is_file() and one.met[tool].split()[-1] not in file.read_text(errors="replace"):
                wrong.append(f"{one.met[tool]} is not in {source}")
    assert wrong == []


def test_each_printed_name_has_its_meaning_and_no_lookalike_has():
    wrong = []
    for one in meanings():
        for name in one.met.values():
            found = meaning_of(name, one.beside)
            if found is not one:
                wrong.append(f"{name}: {found and found.quantity} and not {one.quantity}")
        wrong += [name for name in one.lookalikes if meaning_of(name, one.beside) is one]
    assert wrong == []


def test_vertical_records_with_the_same_columns_are_a_table():
    lines = [
        "*************************** 1. row ***************************",
        " TABLE_NAME: orders",
        "DATA_LENGTH: 9118711808",
        "*************************** 2. row ***************************",
        " TABLE_NAME: carts",
        "DATA_LENGTH: 16384",
    ]
    (grid,) = grids_of(lines).grids
    assert [tuple(row) for row in grid.rows] == [("orders", 9118711808.0), ("carts", 16384.0)]
    assert list(grid.lines) == [0, 3]
