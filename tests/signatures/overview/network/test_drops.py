"""Counters of drops since boot: each event stated once, and below what is measured now."""

from __future__ import annotations

import re

import pytest

from tests.signatures.overview.stated import changed
from tests.signatures.overview.test_first_screen import overview, texts
from tests.signatures.overview.test_load_yields import LOADAVG, SATURATED

SNMP = """\
$ cat /proc/net/snmp
Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors
Udp: 1465892 2389 3226140 4694547 3226140 0 0 0 0
"""
"""Of a recorded machine with two CPUs at a load of 167: the errors are full receive buffers, all of them."""

NETSTAT = """\
$ cat /proc/net/snmp
Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs
Tcp: 1 200 120000 -1 1127 13506285 71 53 5 48005700
$ cat /proc/net/netstat
TcpExt: SyncookiesSent ListenOverflows ListenDrops
TcpExt: 0 {overflows} {drops}
"""
FULL = "68.8 % of UDP datagrams met a full receive buffer (3,226,140 of 4,692,032, since boot)"


def test_datagrams_without_a_buffer_are_stated_once_with_steps_about_buffers():
    found = overview(SNMP)
    assert texts(found) == [FULL]
    assert found.headline.text == FULL
    assert "its program reads too slowly" in found.first_steps[0]


def test_other_errors_of_datagrams_are_stated_too():
    found = overview(changed(SNMP, "3226140 4694547", "4226140 4694547"))
    assert len(texts(found)) == 2
    assert any("received UDP datagrams had errors (4,226,140 of" in text for text in texts(found))


@pytest.mark.parametrize(
    ("overflows", "drops", "stated"),
    [
        (189088, 189088, ["full accept queue"]),
        (189088, 389088, ["full accept queue", "dropped by a listener"]),
    ],
)
def test_connections_of_a_full_accept_queue_are_stated_once(overflows, drops, stated):
    found = texts(overview(NETSTAT.format(overflows=overflows, drops=drops)))
    told = [words for words in ("full accept queue", "dropped by a listener") if re.search(words, str(found))]
    assert told == stated


FILTERED = """\
$ cat /proc/net/netstat
TcpExt: SyncookiesSent IPReversePathFilter
TcpExt: 0 2124
"""
RECEIVED = """\
$ cat /proc/net/snmp
Ip: Forwarding DefaultTTL InReceives InHdrErrors
Ip: 2 64 {} 0
"""


@pytest.mark.parametrize(("received", "is_alarm"), [(2_166_790, False), (216_679, True)])
def test_a_count_is_compared_with_its_base_in_the_file_beside_it(received, is_alarm):
    said = texts(overview(FILTERED, RECEIVED.format(received)))
    assert any(f"(2,124 of {received:,}, since boot)" in text for text in said) == is_alarm
    assert not any("total not in the evidence" in text for text in said)


def test_of_two_readings_of_the_base_none_is_taken():
    (said,) = texts(overview(FILTERED, RECEIVED.format(216_679), RECEIVED.format(2_166_790)))
    assert said == "2,124 IP packets failed the reverse path filter (total not in the evidence)"


def test_a_count_since_boot_yields_to_what_is_measured_now_and_the_steps_follow_the_headline():
    found = overview(LOADAVG + SATURATED, SNMP)
    assert found.headline.text.startswith("CPUs are 0 % idle: 70 % programs")
    assert FULL in texts(found)[1:]
    assert any("nice, cpu.weight, cpu.max" in step for step in found.first_steps)


def test_steps_of_a_statement_below_the_headline_are_not_those_of_the_case():
    unsent = changed(SNMP, "3226140 4694547 3226140 0", "0 4694547 0 3226140")
    found = overview(unsent, NETSTAT.format(overflows=189088, drops=189088))
    assert "full send buffer" in found.headline.text
    assert found.statements[1].statement.topic == "listen queue"
    assert found.first_steps == ()
