"""Readings from the tables of bcc tools."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from ingest.model.section import Text
from ingest.readers.bpf import bcc_rows
from tests.ingest.samples import DATA, read, rows, values


def test_a_row_keeps_its_latency_and_the_longest_is_a_fact():
    reading = read(bcc_rows, "bcc-rows/runqslower.txt")
    found = rows(reading, "rows:time,comm,tid,latency_us")
    assert found[0] == {"time": "08:20:56", "comm": "tokio-rt-worker", "tid": 75.0, "latency_us": 4208.0}
    assert values(reading)["trace.max_latency_us"] == max(row["latency_us"] for row in found)


def test_totals_per_vector():
    found = rows(read(bcc_rows, "bcc-rows/softirqs.txt"), "rows:softirq,total_us")
    assert {row["softirq"]: row["total_us"] for row in found}["net_rx"] == 35.0


def test_blanks_in_a_command_do_not_move_columns():
    lines = [
        "TIME     COMM             TID           LAT(us)",
        "08:20:56 IO Task Pool (3  75               4208",
    ]
    (row,) = rows(bcc_rows.read(Text(lines)), "rows:time,comm,tid,latency_us")
    assert (row["comm"], row["tid"]) == ("IO Task Pool (3", 75.0)


def test_a_ratio_is_a_share():
    lines = [
        "    HITS   MISSES  DIRTIES HITRATIO   BUFFERS_MB  CACHED_MB",
        "   17154    13750       15   55.51%          277       4422",
    ]
    (row,) = rows(bcc_rows.read(Text(lines)), "rows:hits,misses,dirties,hit_share,buffers_mb,cached_mb")
    assert row["hit_share"] == pytest.approx(0.5551)


@pytest.mark.parametrize(
    "header",
    [
        "  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND",
        "PID TTY TIME CMD",
        "A B C",
    ],
)
def test_other_tables_are_not_claimed(header):
    assert not bcc_rows.begins([header, "1 2 3 4 5"], 0)


@pytest.mark.parametrize(
    ("header", "row", "last"),
    [
        (
            "TIME     PID    COMM             AGE(s)  FILE",
            "05:57:59 8556   cc1  0.04  ccCB5E De.s",
            "ccCB5E De.s",
        ),
        ("TIME      PID    COMM    SIG  TPID   RESULT", "12:11:34  13967  bash    9    1024   -3", -3.0),
        (
            "COMM  PID  TID  MNT_NS  CALL",
            'mount 7 7 4026531841 umount("tmp/", 0x0) = 0',
            'umount("tmp/", 0x0) = 0',
        ),
        ("PID COMM PROT ADDR PORT OPTS IF", "3940194 dig UDP :: 48665 ..... 0", 0.0),
        ("COMM             PID    COUNT", "gnome-shell      2239   12410", 12410.0),
    ],
)
def test_a_header_of_common_words_is_recognised_as_a_whole(header, row, last):
    assert bcc_rows.begins([header, row], 0)
    (found,) = bcc_rows.read(Text([header, row])).row_sets[0].rows
    assert found[-1] == last


def test_an_exit_code_may_be_words():
    lines = [
        "PCOMM            PID    PPID   TID    AGE(s)  EXIT_CODE",
        "sleep            19004  19003  19004  1.65    0",
        "sleep            19657  19004  19657  5.01    signal 9 (KILL)",
    ]
    assert bcc_rows.begins(lines, 0)
    (found,) = bcc_rows.read(Text(lines)).row_sets
    assert [row[-1] for row in found.rows] == [0.0, "signal 9 (KILL)"]


@pytest.mark.parametrize(
    ("name", "count", "first"),
    [
        ("biopattern", 9, {"disk": "vdb", "random_share": 0.0, "sequential_share": 0.99, "kbytes": 772.0}),
        ("gethostlatency", 8, {"comm": "wget", "latency_ms": 90.0, "host": "www.iovisor.org"}),
        ("softirqslower", 10, {"stage": "irq(hard) to softirq", "softirq": "net_rx", "comm": "cat"}),
        ("syncsnoop", 19, {"comm": "worker", "call": "fdatasync"}),
    ],
)
def test_tables_of_tools_whose_words_others_print_too(name, count, first):
    text = (DATA / f"bcc-rows/tool-{name}.txt").read_bytes()
    [section] = read_bytes(text, name="paste").sections
    [found] = section.reading.row_sets
    assert len(found.rows) == count
    assert first.items() <= dict(zip(found.columns, found.rows[0], strict=True)).items()
    assert section.reading.skipped == ()
