"""Readings from dropwatch."""

from __future__ import annotations

from ingest.model.section import Text
from tests.ingest.samples import reader_of, rows, values, whole

PACKET = """\
drop at: __udp4_lib_rcv+0xa06/0xb20 (0xffffffff9406e5b6)
origin: software
input port ifindex: 1
timestamp: Thu Nov 26 04:46:13 2026 123456789 nsec
protocol: 0x800
length: 46
drop reason: NO_SOCKET

drop at: ingress_vlan_filter (l2_drops)
origin: hardware
"""


def test_drops_of_a_function_are_summed():
    reading = whole("dropwatch/refused-ports.txt")
    assert values(reading, function="tcp_v4_rcv") == {"trace.packet_drops": 6.0}
    assert values(reading, function="icmp_rcv") == {"trace.packet_drops": 4.0}
    assert [skip.reason for skip in reading.skipped] == ["a message of the tool"]


def test_packets_keep_their_reason_and_origin():
    reading = reader_of("dropwatch").read(Text(PACKET.splitlines()))
    (first, second) = rows(reading, "trace:dropwatch")
    assert (first["function"], first["reason"], first["origin"]) == (
        "__udp4_lib_rcv",
        "NO_SOCKET",
        "software",
    )
    assert (second["function"], second["origin"]) == ("ingress_vlan_filter", "hardware")
    assert not reading.skipped


def test_an_address_that_was_not_looked_up_names_the_place():
    lines = [
        "7 drops at location 0xffffffff87272de0 [software]",
        "2 drops at ttl_value_is_too_small [hardware]",
    ]
    reading = reader_of("dropwatch").read(Text(lines))
    assert values(reading, function="0xffffffff87272de0") == {"trace.packet_drops": 7.0}
    assert values(reading, function="ttl_value_is_too_small") == {"trace.packet_drops": 2.0}
