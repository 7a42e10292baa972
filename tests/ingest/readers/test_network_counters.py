"""Counters of the network stack have one name each, whichever tool printed them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_file
from ingest.model.section import Text
from ingest.readers.net import netstat_statistics, nstat

NETWORKING = Path(__file__).parents[2] / "data" / "files" / "machine" / "sos_commands" / "networking"


def lines(name):
    return (NETWORKING / name).read_text().splitlines()


def facts(reading):
    return {fact.name: fact.value for fact in reading.facts}


def pasted(tmp_path, text):
    path = tmp_path / "paste.txt"
    path.write_text(text)
    return [(section.format, section.reading) for section in read_file(path).sections]


def test_every_sentence_of_netstat_is_the_counter_that_nstat_names():
    counters = facts(netstat_statistics.read(Text(lines("netstat_-s"), path="netstat_-s")))
    by_name = facts(nstat.read(Text(lines("nstat_-zas"), path="sos_commands/networking/nstat_-zas")))
    compared = {name: value for name, value in counters.items() if name in by_name}
    assert len(compared) > 60
    assert compared == {name: by_name[name] for name in compared}
    # A setting and a gauge, which nstat leaves out.
    assert set(counters) - set(compared) <= {"net.ip.forwarding", "net.tcp.currestab"}
    assert counters["net.tcpext.listenoverflows"] == 3346


def test_unknown_sentences_are_counted():
    text = ["TcpExt:", "    3346 times the listen queue of a socket overflowed", "    12 things went wrong"]
    text += ["Udp:", "    13072 segments retransmitted"]
    reading = netstat_statistics.read(Text(text))
    assert facts(reading) == {"net.tcpext.listenoverflows": 3346}
    assert [(row.reason, row.count, row.first_line) for row in reading.skipped] == [
        ("a sentence whose counter is not known", 2, 3)
    ]


def test_netstat_is_recognised_by_its_sentences_and_by_its_command(tmp_path):
    text = "\n".join(lines("netstat_-s"))
    ((name, reading),) = pasted(tmp_path, text)
    assert name == "netstat-statistics"
    ((name, cut),) = pasted(
        tmp_path, "$ netstat -s | grep -i listen\n    3346 times the listen queue of a socket overflowed\n"
    )
    assert (name, facts(cut)) == ("netstat-statistics", {"net.tcpext.listenoverflows": 3346})
    assert "filtered" in cut.quality_names
    assert facts(reading)["net.tcp.retranssegs"] == 13072


def test_two_readings_in_one_paste_are_two_snapshots(tmp_path):
    look = "$ netstat -s\nTcpExt:\n    {} times the listen queue of a socket overflowed\n"
    read = [reading for _, reading in pasted(tmp_path, look.format(3346) + look.format(3400))]
    assert [fact.value for reading in read for fact in reading.facts] == [3346, 3400]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("nstat -az", "net.tcpext.listenoverflows"),
        ("nstat -asz", "net.tcpext.listenoverflows"),
        ("sudo nstat -z -a", "net.tcpext.listenoverflows"),
        ("nstat", "net.since.tcpext.listenoverflows"),
        ("nstat -z", "net.since.tcpext.listenoverflows"),
    ],
)
def test_a_difference_is_not_taken_for_a_count_since_boot(tmp_path, command, name):
    text = f"$ {command}\n#kernel\nTcpExtListenOverflows           3346               0.0\n"
    ((_, reading),) = pasted(tmp_path, text)
    assert facts(reading) == {name: 3346}


def test_nstat_without_a_command_may_be_a_difference(tmp_path):
    ((name, reading),) = pasted(tmp_path, '{"kernel":{"TcpExtListenOverflows":3346,"IpInReceives":12}}\n')
    assert (name, facts(reading)) == (
        "nstat",
        {"net.since.tcpext.listenoverflows": 3346, "net.since.ip.inreceives": 12},
    )
