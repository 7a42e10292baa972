"""`netstat -an`, `-tulpn`: sockets with their state and their queues.

Example:
    Active Internet connections (servers and established)
    Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
    tcp        6      0 10.77.0.1:8080          0.0.0.0:*               LISTEN      71/app
    udp        0      0 0.0.0.0:68              0.0.0.0:*                           903/dhclient

Of a TCP listener Recv-Q counts connections that wait for accept() (get_tcp4_sock in
net/ipv4/tcp_ipv4.c); the limit is not printed. Other systems print other columns and are not read.
Source: net-tools netstat.c; netstat(8).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.sockets import Socket, SocketTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "netstat-sockets"
VERSION = 2
TITLE = "netstat (sockets)"
EXAMPLE = (
    "Active Internet connections (servers and established)\n"
    "Proto Recv-Q Send-Q Local Address           Foreign Address         State\n"
    "tcp        0      0 127.0.0.1:9090          0.0.0.0:*               LISTEN"
)

PATHS: tuple[str, ...] = (
    "sos_commands/networking/netstat_-a*",
    "sos_commands/networking/netstat_-t*",
    "sos_commands/networking/netstat_-W_-neopa",
)
COMMANDS: tuple[str, ...] = (r"netstat(?: -[a-zA-Z46]*[alntuxpeWo][a-zA-Z46]*)+",)
HINTS: tuple[str, ...] = ()

_TITLE = re.compile(
    r"^\s*Active (?:Internet connections|UNIX domain sockets|IPX sockets|Bluetooth connections) "
    r"\((?:servers and established|only servers|w/o servers)\)\s*$|^\s*Active UNIX domain sockets\s|"
    r"^\s*Active Internet connections\s"
)
_HEAD = re.compile(
    r"^\s*Proto\s+(?:Recv-Q\s+Send-Q\s+Local Address\s+Foreign Address\s+State|RefCnt\s+Flags\s)"
)
_ROW = Pattern(
    r"^\s*(?P<protocol>tcp6?|udp6?|udpl(?:it|6|ite6?)?|raw6?|sctp)\s+(?P<receive>\d{1,12})\s+(?P<send>\d{1,12})\s+"
    r"(?P<local>\S*:[\w*-]+)\s+(?P<peer>\S*:[\w*-]+)(?:\s+(?P<state>[A-Z][A-Z_]{3,10}[12]?))?(?P<rest>(?:\s.*)?)$"
)
_UNIX = Pattern(
    r"^\s*unix\s+\d{1,10}\s+\[ [A-Z ]*\]\s+(?:STREAM|DGRAM|SEQPACKET|RAW|RDM|PACKET|UNKNOWN)\s+"
    r"(?:(?P<state>[A-Z]{4,13})\s+)?\d{1,20}(?:\s.*)?$"
)
_PROCESS = re.compile(r"\s\d{1,10}/(?P<name>[^\s/:]{1,64})")
_SHELL = re.compile(
    r"^\(Not all processes could be identified|^ will not be shown, you would have to be root"
)

STARTS = (
    r"\s*Active (?:Internet|UNIX)\s",
    r"\s*Proto\s+(?:Recv-Q|RefCnt)\s",
    r"\s*(?:tcp|udp)6?\s+\d+\s+\d+\s",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a title, a head, or a row of an Internet socket is at `lines[at]`."""
    if _TITLE.match(lines[at]):
        return at + 1 < len(lines) and bool(_HEAD.match(lines[at + 1]))
    return bool(_HEAD.match(lines[at]) or _ROW.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a title, a head or a row."""
    return any(shape.match(line) for shape in (_TITLE, _HEAD, _ROW, _UNIX, _SHELL))


def read(text: Text) -> Reading:
    """Read sockets by protocol and state, and the connections that wait at each listener."""
    reader = FactReader(text)
    table = SocketTable(reader)
    for line, entry in enumerate(text.lines, start=text.first_line):
        if row := _ROW.match(entry):
            process = _PROCESS.search(row["rest"] or "")
            state = row["state"] or ""
            table.add(
                line,
                Socket(
                    row["protocol"],
                    state,
                    int(row["receive"]),
                    0 if state == "LISTEN" else int(row["send"]),
                    row["local"],
                    None,
                    process["name"] if process else "",
                    row["peer"],
                ),
            )
        elif unix := _UNIX.match(entry):
            table.add(line, Socket("unix", unix["state"] or "", 0, 0, "", None, ""))
        elif entry.strip() and not any(one.match(entry) for one in (_TITLE, _HEAD, _SHELL)):
            reader.skips.add("not a line of netstat", line)
    table.finish()
    return reader.result()
