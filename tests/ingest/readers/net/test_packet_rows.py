"""Readings from packet tables."""

from __future__ import annotations

from pathlib import Path

from ingest.model.section import Text
from ingest.readers.net import packet_rows

DATA = Path(__file__).parents[3] / "data" / "packet-rows"


def read(name):
    return packet_rows.read(Text((DATA / name).read_text().splitlines()))


def rows_of(reading):
    (found,) = reading.row_sets
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def test_bursts_are_what_the_separators_part():
    rows = rows_of(read("bcc-icmp-trace.stalls.txt"))
    assert [sum(row["burst"] == burst for row in rows) for burst in (1.0, 2.0)] == [12, 10]
    assert [row["process"] for row in rows[:3]] == ["cadvisor", "cadvisor", "ksoftirqd/11"]


def test_a_value_in_brackets_is_a_note_and_never_measured():
    rows = rows_of(read("bcc-icmp-trace.stalls.txt"))
    assert [(row["note"], row["rtt_ms"]) for row in rows[6:8]] == [("59ms", 59.0), ("(49ms)", None)]


def test_ramps_count_measured_values_alone():
    facts = {fact.name: (fact.value, tuple(fact.lines)) for fact in read("bcc-icmp-trace.stalls.txt").facts}
    assert facts == {
        "net.rtt.ladder.count": (2.0, (5, 20)),
        "net.rtt.ladder.length": (5.0, (5, 9)),
        "net.rtt.backlog_seconds": (0.099, (5, 9)),
    }


def test_bracketed_values_alone_are_no_ramp():
    lines = [
        "TGID    PID     PROCESS NAME    ICMP_SEQ ** RTT",
        *(f"76      76      ksoftirqd/11    {1953 + at} ** ({99 - 10 * at}ms)" for at in range(5)),
    ]
    assert packet_rows.read(Text(lines)).facts == ()


def test_separators_mark_omitted_rows():
    assert read("bcc-icmp-trace.stalls.txt").quality_names == {"excerpt"}


def test_a_healthy_table_is_ten_rows_and_nothing_else():
    reading = read("bcc-icmp-trace.txt")
    assert len(rows_of(reading)) == 10
    assert (reading.facts, reading.quality, reading.skipped) == ((), (), ())


def test_rows_without_their_header_are_not_claimed():
    assert not packet_rows.begins(["10137   10436   cadvisor        1951"], 0)


def test_other_lines_are_counted():
    lines = ["TGID    PID     PROCESS NAME    ICMP_SEQ", "0 0 swapper/11 770", "Possibly lost 3 samples"]
    assert [skip.reason for skip in packet_rows.read(Text(lines)).skipped] == ["not a packet row"]
