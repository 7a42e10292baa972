"""`/proc/net/snmp` and `/proc/net/netstat`: counters of the network stack, names above numbers.

Example:
    TcpExt: SyncookiesSent SyncookiesRecv SyncookiesFailed ListenOverflows
    TcpExt: 0 0 0 12

Source: net/ipv4/proc.c (snmp_seq_show, netstat_seq_show).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-net-counters"
VERSION = 1
TITLE = "/proc/net/snmp, /proc/net/netstat"
EXAMPLE = "Tcp: RtoAlgorithm RtoMin RtoMax MaxConn\nTcp: 1 200 120000 -1"

PATHS: tuple[str, ...] = ("proc/net/snmp", "proc/net/netstat", "proc/*/net/snmp", "proc/*/net/netstat")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_GROUP = r"(?P<group>Ip|Icmp|IcmpMsg|Tcp|Udp|UdpLite|TcpExt|IpExt|MPTcpExt)"
_NAMES = re.compile(rf"^{_GROUP}:(?P<names>(?: [A-Z]\w*)*)\s*$")
_NUMBERS = re.compile(rf"^{_GROUP}:(?P<numbers>(?: -?\d+)+)\s*$")


STARTS = (_NAMES.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: names, and numbers of the same group below."""
    names = _NAMES.match(lines[at])
    numbers = _NUMBERS.match(lines[at + 1]) if at + 1 < len(lines) else None
    return bool(names and numbers and names["group"] == numbers["group"])


def continues(line: str) -> bool:
    """Return whether `line` is names or numbers."""
    return bool(_NAMES.match(line) or _NUMBERS.match(line))


def read(text: Text) -> Reading:
    """Read every counter: `net.tcpext.listenoverflows`."""
    reader = FactReader(text)
    names: dict[str, list[str]] = {}
    for line, entry in reader.lines():
        if found := _NAMES.match(entry):
            names[found["group"]] = found["names"].split()
        elif (found := _NUMBERS.match(entry)) and found["group"] in names:
            group = found["group"]
            numbers = found["numbers"].split()
            if len(numbers) > len(names[group]):
                reader.skips.add("numbers without a name", line, len(numbers) - len(names[group]))
            for name, value in zip(names[group], numbers, strict=False):
                reader.add(f"net.{group.lower()}.{name.lower()}", float(value), line, "count")
        else:
            reader.skips.add("not names or numbers of counters", line)
    return reader.result()
