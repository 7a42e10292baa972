"""Counters of lost packets and connections: what each is a part of, and from which share it is an alarm."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from signatures.overview.first_steps import Topic


class Drop(NamedTuple):
    """A counter of drops, what it is a part of, and the share from which it is an alarm.

    Attributes:
        base: Counters that are summed.
        meaning: Completes "N % of …".
        topic: What its first steps are about; "" for none.
        holds: A counter whose events are counted in this one, too.
    """

    counter: str
    base: tuple[str, ...]
    meaning: str
    above: float
    topic: Topic = ""
    holds: str = ""


UDP_RECEIVED = ("net.udp.indatagrams", "net.udp.inerrors")
"""Those that programs have read, and those that none could: the kernel counts them apart."""

PASSIVE = ("net.tcp.passiveopens",)
SEGMENTS_IN = ("net.tcp.insegs",)
SEGMENTS_OUT = ("net.tcp.outsegs",)
PACKETS_IN = ("net.ip.inreceives",)
OVERFLOWS = "net.tcpext.listenoverflows"
NO_BUFFER = "net.udp.rcvbuferrors"

DROPS = (
    Drop(OVERFLOWS, PASSIVE, "connections met a full accept queue", 0.001, "listen queue"),
    Drop(
        "net.tcpext.listendrops",
        PASSIVE,
        "connections were dropped by a listener",
        0.001,
        "listen queue",
        holds=OVERFLOWS,
    ),
    Drop("net.tcp.retranssegs", SEGMENTS_OUT, "TCP segments were sent again", 0.02, "lost packets"),
    Drop("net.tcpext.tcptimeouts", SEGMENTS_OUT, "TCP segments ran into a time-out", 0.005, "lost packets"),
    Drop(
        "net.tcpext.tcpbacklogdrop",
        SEGMENTS_IN,
        "TCP segments met a full socket backlog",
        0.0005,
        "receive buffer",
    ),
    Drop(
        "net.tcpext.rcvpruned", SEGMENTS_IN, "TCP segments pruned a receive buffer", 0.0005, "receive buffer"
    ),
    Drop(
        "net.tcpext.tcprcvqdrop",
        SEGMENTS_IN,
        "TCP segments met a full receive queue",
        0.0005,
        "receive buffer",
    ),
    Drop("net.tcpext.tcpreqqfulldrop", PASSIVE, "SYNs met a full request queue", 0.001, "listen queue"),
    Drop("net.tcpext.tcpreqqfulldocookies", PASSIVE, "SYNs were answered by cookies", 0.01, "listen queue"),
    Drop("net.tcp.inerrs", SEGMENTS_IN, "TCP segments had errors", 0.001),
    Drop("net.tcp.attemptfails", ("net.tcp.activeopens", "net.tcp.passiveopens"), "TCP connects failed", 0.2),
    Drop(NO_BUFFER, UDP_RECEIVED, "UDP datagrams met a full receive buffer", 0.001, "receive buffer"),
    Drop("net.udp.sndbuferrors", ("net.udp.outdatagrams",), "UDP datagrams met a full send buffer", 0.001),
    Drop(
        "net.udp.inerrors",
        UDP_RECEIVED,
        "received UDP datagrams had errors",
        0.005,
        "lost packets",
        holds=NO_BUFFER,
    ),
    Drop("net.ip.indiscards", PACKETS_IN, "IP packets were discarded on receipt", 0.001),
    Drop("net.ip.outdiscards", ("net.ip.outrequests",), "IP packets were discarded on sending", 0.001),
    Drop("net.ip.outnoroutes", ("net.ip.outrequests",), "IP packets had no route", 0.01),
    Drop(
        "net.tcpext.ipreversepathfilter",
        PACKETS_IN,
        "IP packets failed the reverse path filter",
        0.001,
        "reverse path filter",
    ),
    Drop("net.ip.reasmfails", ("net.ip.reasmreqds",), "IP fragments could not be put together", 0.01),
)
"""net/ipv4/proc.c; include/uapi/linux/snmp.h. Of `holds`: tcp_v4_syn_recv_sock (net/ipv4/tcp_ipv4.c) and
__udp_queue_rcv_skb (net/ipv4/udp.c) count both."""

ABSOLUTE = (
    ("net.tcpext.tcpabortonmemory", "TCP connections were aborted for lack of memory"),
    ("net.tcpext.tcpmemorypressures", "times TCP came under memory pressure"),
)
UNBASED = {
    "net.tcpext.listenoverflows": "connections met a full accept queue",
    "net.tcpext.listendrops": "connections were dropped by a listener",
    "net.tcpext.tcpbacklogdrop": "TCP segments met a full socket backlog",
    "net.tcpext.tcpreqqfulldrop": "SYNs met a full request queue",
    "net.udp.rcvbuferrors": "UDP datagrams met a full receive buffer",
    "net.tcpext.ipreversepathfilter": "IP packets failed the reverse path filter",
}
"""Drops that say something where `grep` took their base away."""

INTERFACES = (
    ("rx_dropped", "packets that arrived at {} were dropped", 0.01),
    ("rx_missed", "packets found the receive ring of {} full", 0.0005),
    ("rx_fifo", "packets overran the receive FIFO of {}", 0.0005),
    ("rx_overrun", "packets overran the receiver of {}", 0.0005),
    ("rx_errors", "packets that arrived at {} had errors", 0.0005),
    ("tx_dropped", "packets to send on {} were dropped", 0.001),
    ("tx_errors", "packets to send on {} had errors", 0.0005),
    ("tx_carrier", "packets to send on {} lost their carrier", 0.0005),
)
"""Counters of interfaces, of the packets of their direction. Packets of a protocol that nobody has asked for
count as dropped, too (__netif_receive_skb_core in net/core/dev.c): one in a hundred is usual."""
