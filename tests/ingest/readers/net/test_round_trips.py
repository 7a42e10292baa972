"""Readings from ping and hping3, and when a latency ramp is claimed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.model.section import Text
from ingest.readers.net import round_trips

DATA = Path(__file__).parents[3] / "data" / "round-trips"


def read(name):
    return round_trips.read(Text((DATA / name).read_text().splitlines()))


def facts_of(reading):
    return {fact.name: (fact.value, tuple(fact.lines)) for fact in reading.facts}


def replies(*milliseconds, first=1, arrived=None):
    stamps = arrived or [None] * len(milliseconds)
    stamped = ["" if at is None else f"[{at:.6f}] " for at in stamps]
    return [
        f"{stamp}64 bytes from 10.0.0.9: icmp_seq={seq} ttl=61 time={rtt} ms"
        for seq, (stamp, rtt) in enumerate(zip(stamped, milliseconds, strict=True), start=first)
    ]


def test_four_steps_of_the_send_interval_are_one_ramp():
    assert facts_of(read("hping3-icmp-rtt.txt")) == {
        "net.rtt.ladder.count": (1.0, (2, 5)),
        "net.rtt.ladder.length": (4.0, (2, 5)),
        "net.rtt.backlog_seconds": (0.1409, (2, 5)),
    }


def test_a_step_of_a_fifth_of_the_interval_ends_the_ramp():
    facts = facts_of(read("hping3-syn-rtt.txt"))
    assert facts["net.rtt.ladder.length"] == (3.0, (2, 4))


def test_rows_keep_sequence_round_trip_and_target():
    (rows,) = read("hping3-syn-rtt.txt").row_sets
    assert (rows.name, rows.columns[:2]) == ("round_trips", ("seq", "rtt_ms"))
    assert rows.rows[0] == (1485.0, 127.1, "172.16.47.27")


@pytest.mark.parametrize("name", ["hping3-icmp-rtt.txt", "hping3-syn-rtt.txt"])
def test_a_filter_for_three_digits_is_marked(name):
    assert "filtered" in read(name).quality_names


def test_without_an_interval_no_ramp_is_claimed():
    lines = (DATA / "hping3-icmp-rtt.txt").read_text().splitlines()[1:]
    assert round_trips.read(Text(lines)).facts == ()


def test_stamped_replies_give_the_interval():
    arrived = [100.2 + 0.0001 * at for at in range(5)]
    lines = replies(100.0, 90.1, 80.2, 70.3, 60.4, arrived=arrived)
    assert facts_of(round_trips.read(Text(lines)))["net.rtt.ladder.length"][0] == 5.0


def test_a_gap_in_the_sequence_ends_a_ramp():
    lines = replies(100.0, 90.0) + replies(80.0, 70.0, first=4)
    reading = round_trips.read(Text(lines, command="ping -i 0.01 -D 10.0.0.9"))
    assert facts_of(reading)["net.rtt.ladder.count"][0] == 0.0


def test_sequence_numbers_wrap():
    lines = replies(100.0, 90.0, first=65534) + replies(80.0, first=0)
    reading = round_trips.read(Text(lines, command="ping -i 0.01 10.0.0.9"))
    assert facts_of(reading)["net.rtt.ladder.length"][0] == 3.0


def test_complete_fast_output_can_report_zero_ramps():
    lines = replies(0.4, 0.5, 0.4, 0.6)
    facts = facts_of(round_trips.read(Text(lines, command="ping -i 0.01 10.0.0.9")))
    assert facts["net.rtt.ladder.count"] == (0.0, (1, 4))


@pytest.mark.parametrize(
    "command", ["ping 10.0.0.9", "ping -i 0.01 10.0.0.9 | grep time=", "ping -i 0.01 x | tail -4", ""]
)
def test_slow_filtered_or_cut_output_may_not(command):
    lines = replies(0.4, 0.5, 0.4, 0.6)
    assert round_trips.read(Text(lines, command=command)).facts == ()


def test_the_summary_is_facts():
    lines = [
        "PING db (10.0.0.9) 56(84) bytes of data.",
        *replies(0.4),
        "",
        "--- db ping statistics ---",
        "10 packets transmitted, 9 received, 10% packet loss, time 9012ms",
        "rtt min/avg/max/mdev = 0.211/0.402/141.113/3.210 ms",
    ]
    facts = {fact.name: fact for fact in round_trips.read(Text(lines)).facts}
    assert facts["net.rtt.loss_share"].value == 0.1
    assert facts["net.rtt.max_seconds"].value == 0.141113
    assert facts["net.rtt.sent"].labels == {"series": "db"}


def test_duplicates_and_losses_are_counted():
    lines = [*replies(0.4), replies(0.4)[0] + " (DUP!)", "no answer yet for icmp_seq=7"]
    assert {skip.reason for skip in round_trips.read(Text(lines)).skipped} == {
        "duplicate reply",
        "packet without a reply",
    }


@pytest.mark.parametrize(
    ("command", "seconds"),
    [
        ("sudo hping3 10.0.0.9 --icmp -i u10000", 0.01),
        ("hping3 10.0.0.9 -S -i 2", 2.0),
        ("hping3 --fast 10.0.0.9", 0.1),
        ("hping3 --flood 10.0.0.9", None),
        ("ping -i 0.01 -c 3000 -D db", 0.01),
        ("ping -i0.2 db", 0.2),
        ("ping db", 1.0),
        ("ping -f db", None),
        ("cat replies.txt", None),
        ("", None),
    ],
)
def test_the_interval_is_what_the_command_asks_for(command, seconds):
    assert round_trips.interval_of(command) == seconds


@pytest.mark.parametrize("line", ["len=46 bytes", "64 bytes from 10.0.0.9", "rtt was high", "time=5 ms"])
def test_other_lines_do_not_begin_it(line):
    assert not round_trips.begins([line], 0)


def ping(*milliseconds, first=7):
    return [
        f"64 bytes from 10.0.0.9: icmp_seq={first + at} ttl=64 time={value} ms"
        for at, value in enumerate(milliseconds)
    ]


@pytest.mark.parametrize(
    ("lines", "length"),
    [
        (
            [
                *ping(0.2, 141, 131, 121, 0.2),
                "100 packets transmitted, 100 received, 0% packet loss, time 990ms",
            ],
            3,
        ),
        (ping(0.2, 3022, 2011, 1003, 0.2), 4),
        (ping(0.2, 141, 131, 121, 111, 101, 55), 5),
    ],
    ids=["interval of the summary", "default interval", "five equal steps"],
)
def test_plain_ping_shows_a_ramp(lines, length):
    found = {fact.name: fact.value for fact in round_trips.read(Text(lines)).facts}
    assert found["net.rtt.ladder.length"] == length


@pytest.mark.parametrize(
    "lines", [ping(0.2, 141, 131, 121, 0.2), ping(0.9, 0.8, 0.7, 0.6, 0.5), ping(141, 120, 118, 90, 33, 21)]
)
def test_falling_round_trips_without_an_interval_are_no_ramp(lines):
    assert not [fact for fact in round_trips.read(Text(lines)).facts if "ladder" in fact.name]
