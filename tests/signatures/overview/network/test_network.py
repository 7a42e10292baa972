"""Interfaces, sockets and queues that need attention speak with their base; healthy ones are silent."""

from __future__ import annotations

import re

import pytest

from tests.signatures.overview.stated import MACHINE, changed, statements

NETWORKING = MACHINE / "sos_commands/networking"
SOCKETS = (NETWORKING / "ss_-tan").read_text()
NETSTAT = (NETWORKING / "netstat_-tanope").read_text()
QDISC = (NETWORKING / "tc_-s_qdisc_show").read_text()
TRACKING = (MACHINE / "proc/net/stat/nf_conntrack").read_text()
DEV = (MACHINE / "proc/net/dev").read_text()
LINK = (MACHINE / "sos_commands/networking/ip_-s_-d_link").read_text()

HEALTHY_SOCKETS = SOCKETS.replace("LISTEN     6 ", "LISTEN     5 ")


@pytest.mark.parametrize(
    "text",
    [HEALTHY_SOCKETS, NETSTAT, QDISC, TRACKING, DEV, LINK],
    ids=["ss", "netstat", "tc", "conntrack", "dev", "ip"],
)
def test_a_healthy_output_is_silent(text):
    assert [one for one in statements(text) if not one.startswith("Connection tracking drops nothing")] == []


NOOP = (
    "3: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noop state UP mode DEFAULT group default\n"
    "    link/ether 02:fc:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
)


def test_an_interface_that_is_up_without_a_discipline_speaks():
    expected = ["eth0 is up with qdisc noop, which drops every packet that it is to send"]
    assert statements(NOOP) == expected
    assert statements(changed(LINK, "qdisc pfifo_fast state UP", "qdisc noop state UP")) == expected


@pytest.mark.parametrize(
    ("flags", "state"),
    [("BROADCAST,MULTICAST", "DOWN"), ("NO-CARRIER,BROADCAST,MULTICAST,UP", "DOWN")],
    ids=["down", "no carrier"],
)
def test_an_interface_that_is_down_has_no_discipline_and_is_silent(flags, state):
    down = changed(changed(NOOP, "BROADCAST,MULTICAST,UP,LOWER_UP", flags), "state UP", f"state {state}")
    assert statements(down) == []


def test_an_interface_that_got_its_discipline_since_is_silent():
    assert statements(NOOP + "\n$ ip link\n" + changed(NOOP, "noop", "fq_codel")) == []


def test_a_full_listen_queue_speaks_with_its_limit():
    expected = ["The listen queue of 10.77.0.1:8080 is full: 6 connections wait for accept, 5 may"]
    assert statements(SOCKETS) == expected
    headless = "\n".join(line for line in SOCKETS.splitlines()[1:] if "LISTEN" in line) + "\n"
    assert statements(headless) == expected


def test_netstat_prints_no_limit_so_only_a_long_queue_speaks():
    long = changed(NETSTAT, "tcp        6 ", "tcp      129 ")
    (text,) = statements(long)
    assert (
        text.removesuffix(" (limit of the queue not in the evidence)")
        == "129 connections wait for accept at 10.77.0.1:8080 (python3)"
    )


def test_connections_that_nobody_closes_speak():
    row = next(line for line in SOCKETS.splitlines() if line.startswith("CLOSE-WAIT"))
    assert any(
        "1,001 connections are in CLOSE-WAIT" in one
        for one in statements(HEALTHY_SOCKETS + f"{row}\n" * 1000)
    )


def test_drops_of_a_discipline_speak_with_their_base():
    dropping = changed(QDISC, "420 pkt (dropped 0,", "420 pkt (dropped 500,")
    assert statements(dropping) == ["54.3 % of packets for v0 were dropped by its tbf: 500 of 920"]


def test_drops_of_a_driver_speak_with_their_base():
    nic = "NIC statistics:\n     rx_packets: 200000\n     rx_missed_errors: {}\n     tx_packets: 5\n"
    assert statements(nic.format(10)) == []
    (text,) = statements(nic.format(900))
    assert text.startswith("0.45 % of packets that arrived at the interface found no free receive buffer")


def test_tracking_that_drops_speaks():
    head, row = TRACKING.splitlines()[:2]
    cells = row.split()
    cells[10] = "000007d0"
    text = f"{head}\n{' '.join(cells)}\n"
    assert statements(text) == [
        "2,000 packets were dropped since connection tracking could make no entry (since boot)"
    ]


def with_drops(text, count):
    """Return the text with so many drops of packets that eth0 received, of 208,880 that it passed on."""
    changed = re.sub(r"(?m)^( *eth0: \d+ +)\d{6}( +0 +)0 ", rf"\g<1>208880\g<2>{count} ", text)
    assert changed.count(str(count)) == 1
    return changed


def test_a_dropping_interface_speaks_with_its_packets():
    assert statements(with_drops(DEV, 9120)) == [
        "4.18 % of packets that arrived at eth0 were dropped (9,120 of 218,000, since boot)"
    ]
    full = re.sub(r"(?m)^( +\d+ +)\d{6}( +0 +0 +)0", r"\g<1>208880\g<2>9120", LINK, count=1)
    assert statements(full) == [
        "4.18 % of packets found the receive ring of eth0 full (9,120 of 218,000, since boot)"
    ]


def test_one_packet_in_a_hundred_that_nobody_asked_for_is_usual():
    assert statements(with_drops(DEV, 1100)) == [
        (
            "No share of drops is above its threshold; the largest, 0.52 % of packets that arrived at eth0 "
            "were dropped: 1,100 of 209,980 since boot"
        )
    ]
