"""Interfaces, as old and new releases of ip print them, with counters and without."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes

OLD = """\
2: em1@if5: <BROADCAST,MULTICAST,SLAVE,UP,LOWER_UP> mtu 1500 qdisc mq master bond0 state UP qlen 1000
    link/ether 11:22:33:44:55:66 brd ff:ff:ff:ff:ff:ff
    RX: bytes  packets  errors  dropped overrun mcast
    93438234   92345    0       17      3       14
    RX errors: length   crc     frame   fifo    missed
               0        0       5       0       4
    TX: bytes  packets  errors  dropped carrier collsns
    2370     30      0       0       2       0
"""


def test_the_columns_name_the_counters_and_of_the_error_details_only_missed_packets_are_read():
    (section,) = read_bytes(OLD.encode(), name="x").sections
    values = {fact.name.removeprefix("net.interface."): fact.value for fact in section.reading.facts}
    assert section.format == "ip-link"
    assert {fact.labels["interface"] for fact in section.reading.facts} == {"em1"}
    assert values == {
        "state": "UP", "qdisc": "mq", "rx_bytes": 93438234, "rx_packets": 92345, "rx_errors": 0,
        "rx_dropped": 17, "rx_overrun": 3, "rx_missed": 4, "rx_multicast": 14,
        "tx_bytes": 2370, "tx_packets": 30, "tx_errors": 0,
        "tx_dropped": 0, "tx_carrier": 2, "tx_collisions": 0,
    }  # fmt: skip
    assert section.reading.skipped == ()


PLAIN = """\
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
3: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 xdp/id:7 qdisc noop state UP mode DEFAULT qlen 1000
    link/ether 02:fc:00:00:00:01 brd ff:ff:ff:ff:ff:ff
    altname enp0s3
"""
ADDRESSES = (
    "    inet 10.0.0.2/24 brd 10.0.0.255 scope global eth0\n       valid_lft forever preferred_lft 9sec\n"
)


@pytest.mark.parametrize("text", [PLAIN, PLAIN + ADDRESSES], ids=["link", "addr"])
def test_without_counters_state_and_discipline_are_read(text):
    (section,) = read_bytes(text.encode(), name="x").sections
    read = [(one.name, one.labels["interface"], one.value) for one in section.reading.facts]
    assert section.format == "ip-link"
    assert read == [
        ("net.interface.state", "lo", "UNKNOWN"), ("net.interface.qdisc", "lo", "noqueue"),
        ("net.interface.state", "eth0", "UP"), ("net.interface.qdisc", "eth0", "noop"),
    ]  # fmt: skip
    assert section.reading.skipped == ()


def test_what_resembles_the_first_line_is_no_interface():
    text = "3: eth0: <the uplink> is slow\n3: eth0: <UP> as seen above\n"
    assert [one.format for one in read_bytes(text.encode(), name="x").sections] == ["text"]
