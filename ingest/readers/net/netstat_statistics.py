"""`netstat -s`: counters of the network stack, as sentences where net-tools has one, else by name.

Example:
    Tcp:
        34225 active connection openings
        13072 segments retransmitted
    TcpExt:
        3346 times the listen queue of a socket overflowed
        TCPTimeouts: 2613

They are the counters of `/proc/net/snmp` and `/proc/net/netstat`, and have the same names here; so has one
that `grep` took out of its group, when only one group has that sentence. Unknown sentences are counted.
Source: net-tools statistics.c (Iptab, Tcptab, Udptab, Tcpexttab).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "netstat-statistics"
VERSION = 2
TITLE = "netstat -s"
EXAMPLE = "TcpExt:\n    3346 times the listen queue of a socket overflowed\n    TCPTimeouts: 2613"

PATHS: tuple[str, ...] = ("sos_commands/*/netstat_-s", "sos_commands/*/netstat_-s_-*")
COMMANDS: tuple[str, ...] = (r"netstat (?:-\S+ )*-\w*s\w*(?: -\S+)*", r"netstat --statistics(?: -\S+)*")
HINTS: tuple[str, ...] = ()

GROUPS = ("Ip", "Icmp", "IcmpMsg", "Tcp", "Udp", "UdpLite", "TcpExt", "IpExt", "MPTcpExt")
_GROUP = re.compile(rf"^(?P<group>{'|'.join(GROUPS)}|[A-Z]\w{{1,12}}):\s*$")
_NAMED = re.compile(r"^(?P<name>[A-Z]\w+): (?P<number>\d{1,20})$")
_SENTENCE = re.compile(r"^(?P<before>(?:[A-Z][\w ]*? )?)(?P<number>\d{1,20}) (?P<after>[a-zA-Z].*)$")
_HISTOGRAM = re.compile(r"^(?:ICMP (?:in|out)put histogram:|[a-z][a-z ]+: \d+)$")

SENTENCES: dict[str, dict[str, str]] = {
    "Ip": {
        "total packets received": "InReceives",
        "forwarded": "ForwDatagrams",
        "incoming packets discarded": "InDiscards",
        "incoming packets delivered": "InDelivers",
        "requests sent out": "OutRequests",
        "outgoing packets dropped": "OutDiscards",
        "dropped because of missing route": "OutNoRoutes",
        "with invalid headers": "InHdrErrors",
        "with invalid addresses": "InAddrErrors",
        "with unknown protocol": "InUnknownProtos",
        "fragments dropped after timeout": "ReasmTimeout",
        "reassemblies required": "ReasmReqds",
        "packets reassembled ok": "ReasmOKs",
        "packet reassembles failed": "ReasmFails",
        "fragments created": "FragCreates",
    },
    "Icmp": {
        "ICMP messages received": "InMsgs",
        "input ICMP message failed": "InErrors",
        "ICMP messages sent": "OutMsgs",
        "ICMP messages failed": "OutErrors",
    },
    "Tcp": {
        "active connection openings": "ActiveOpens",
        "active connections openings": "ActiveOpens",
        "passive connection openings": "PassiveOpens",
        "failed connection attempts": "AttemptFails",
        "connection resets received": "EstabResets",
        "connections established": "CurrEstab",
        "segments received": "InSegs",
        "segments sent out": "OutSegs",
        "segments send out": "OutSegs",
        "segments retransmitted": "RetransSegs",
        "segments retransmited": "RetransSegs",
        "bad segments received": "InErrs",
        "resets sent": "OutRsts",
    },
    "Udp": {
        "packets received": "InDatagrams",
        "packets to unknown port received": "NoPorts",
        "packets to unknown port received.": "NoPorts",
        "packet receive errors": "InErrors",
        "packets sent": "OutDatagrams",
        "receive buffer errors": "RcvbufErrors",
        "send buffer errors": "SndbufErrors",
    },
    "TcpExt": {
        "SYN cookies sent": "SyncookiesSent",
        "SYN cookies received": "SyncookiesRecv",
        "invalid SYN cookies received": "SyncookiesFailed",
        "resets received for embryonic SYN_RECV sockets": "EmbryonicRsts",
        "packets pruned from receive queue because of socket buffer overrun": "PruneCalled",
        "packets pruned from receive queue": "RcvPruned",
        "packets dropped from out-of-order queue because of socket buffer overrun": "OfoPruned",
        "TCP sockets finished time wait in fast timer": "TW",
        "time wait sockets recycled by time stamp": "TWRecycled",
        "TCP sockets finished time wait in slow timer": "TWKilled",
        "active connections rejected because of time stamp": "PAWSActive",
        "packets rejected in established connections because of timestamp": "PAWSEstab",
        "packets rejects in established connections because of timestamp": "PAWSEstab",
        "delayed acks sent": "DelayedACKs",
        "delayed acks further delayed because of locked socket": "DelayedACKLocked",
        "Quick ack mode was activated times": "DelayedACKLost",
        "times the listen queue of a socket overflowed": "ListenOverflows",
        "SYNs to LISTEN sockets dropped": "ListenDrops",
        "SYNs to LISTEN sockets ignored": "ListenDrops",
        "packet headers predicted": "TCPHPHits",
        "acknowledgments not containing data payload received": "TCPPureAcks",
        "predicted acknowledgments": "TCPHPAcks",
        "times recovered from packet loss by selective acknowledgements": "TCPSackRecovery",
        "fast retransmits": "TCPFastRetrans",
        "retransmits in slow start": "TCPSlowStartRetrans",
        "other TCP timeouts": "TCPTimeouts",
        "packets collapsed in receive queue due to low socket buffer": "TCPRcvCollapsed",
        "connections reset due to unexpected data": "TCPAbortOnData",
        "connections reset due to early user close": "TCPAbortOnClose",
        "connections aborted due to memory pressure": "TCPAbortOnMemory",
        "connections aborted due to timeout": "TCPAbortOnTimeout",
        "TCP ran low on memory times": "TCPMemoryPressures",
    },
}


LEAST_WORDS = 4
"""Words of a sentence that is recognised without its group."""

STARTS = (_GROUP.pattern, r"\s*(?:[A-Z][\w ]* )?\d{1,20} [a-zA-Z]")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the counters start at `lines[at]`: the name of a group, then one of its counters."""
    head = _GROUP.match(lines[at])
    if head is None and _is_grepped(lines[at]):
        return True
    if head is None or head["group"] not in GROUPS or at + 1 >= len(lines):
        return False
    below = lines[at + 1]
    return below[:1].isspace() and _counter(head["group"], below.strip()) is not None


def _is_grepped(line: str) -> bool:
    """Return whether a line without its group can be nothing else: a sentence of many words about TCP."""
    found = _SENTENCE.match(line.strip())
    if found is None:
        return False
    sentence = found["before"] + found["after"]
    return sentence.count(" ") >= LEAST_WORDS - 1 and sentence in SENTENCES["TcpExt"]


def continues(line: str) -> bool:
    """Return whether `line` is a group or is below one."""
    return bool(_GROUP.match(line)) or line[:1].isspace() or _is_grepped(line)


def read(text: Text) -> Reading:
    """Read every counter under the name that the kernel gives it: `net.tcpext.listenoverflows`."""
    reader = FactReader(text)
    group = ""
    for line, entry in reader.lines():
        if found := _GROUP.match(entry):
            group = found["group"]
        elif counter := _counter(group, entry):
            name, value = counter
            reader.add(name, value, line, "count")
        elif _HISTOGRAM.match(entry):
            reader.skips.add("a kind of ICMP message, repeated below IcmpMsg", line)
        else:
            reader.skips.add("a sentence whose counter is not known", line)
    return reader.result()


def _counter(group: str, entry: str) -> tuple[str, float] | None:
    """Return the fact and the value of a counter, None when the sentence is not known."""
    if group in GROUPS and (found := _NAMED.match(entry)):
        return f"net.{group.lower()}.{found['name'].lower()}", float(found["number"])
    if not (found := _SENTENCE.match(entry)):
        return None
    sentence = found["before"] + found["after"]
    named = [one for one in SENTENCES if one == (group or one) and sentence in SENTENCES[one]]
    if len(named) != 1:
        return None
    return f"net.{named[0].lower()}.{SENTENCES[named[0]][sentence].lower()}", float(found["number"])
