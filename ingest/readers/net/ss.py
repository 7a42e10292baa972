"""`ss`: sockets with their state, their queues and the processes that hold them; `ss -s`: their totals.

Examples:
    State      Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
    LISTEN     6      5          10.77.0.1:8080       0.0.0.0:*     users:(("app",pid=71,fd=3))
    ESTAB      30000  0          127.0.0.1:9090     127.0.0.1:49032
             skmem:(r30832,rb131072,t0,tb3939840,f1936,w0,o0,bl0,d0) cubic …

    TCP:   39 (estab 15, closed 16, orphaned 0, timewait 1)

Of a TCP listener Recv-Q counts connections that wait for accept() and Send-Q is the most that may wait: the
queue is full when Recv-Q is above Send-Q (tcp_diag_get_info in net/ipv4/tcp_diag.c, sk_acceptq_is_full in
include/net/sock.h). A filter for one state (`ss -tan state syn-recv`) leaves the column State out: the
command names it, else it is unknown. Of other sockets both are bytes. `d` of skmem counts dropped packets
(sk_drops).
Source: iproute2 misc/ss.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.protocols import Start
from ingest.parsing.sockets import Socket, SocketTable, state_name
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "ss"
VERSION = 3
TITLE = "ss"
EXAMPLE = (
    "State      Recv-Q Send-Q Local Address:Port  Peer Address:Port Process\n"
    "LISTEN     0      128        127.0.0.1:9090       0.0.0.0:*"
)

PATHS: tuple[str, ...] = ("sos_commands/networking/ss_-*",)
COMMANDS: tuple[str, ...] = (r"ss(?: .*)?",)
HINTS: tuple[str, ...] = ()

_NETID = (
    r"(?:tcp|udp|raw|icmp6?|sctp|dccp|mptcp|tipc|xdp|u_str|u_dgr|u_seq|nl"
    r"|p_raw|p_dgr|v_str|v_dgr|unix|\?\?\?)"
)
_STATE = (
    r"(?:ESTAB|LISTEN|UNCONN|SYN-SENT|SYN-RECV|NEW-SYN-RECV|FIN-WAIT-[12]|TIME-WAIT|CLOSE-WAIT|LAST-ACK|CLOSING"
    r"|BOUND-INACTIVE|UNKNOWN)"
)
_HEAD = re.compile(r"^\s*(?:Netid\s+)?(?:State\s+)?Recv-Q\s+Send-Q\s+Local Address:Port\s")
_ROW = Pattern(
    rf"^\s*(?:(?P<protocol>{_NETID})\s+)?(?P<state>{_STATE})\s+(?P<receive>\d{{1,12}})\s+(?P<send>\d{{1,12}})\s+"
    r"(?P<local>\S+)(?P<rest>.*)$"
)
_STATELESS = Pattern(
    r"^\s*(?P<receive>\d{1,12})\s+(?P<send>\d{1,12})\s+(?P<local>\S+:\S+)(?P<rest>\s+\S+:\S+.*)$"
)
_COMMAND = re.compile(r"\bss\b")
_FILTER = re.compile(r"\sstate\s+([a-z0-9-]+)")
"""A state that a command asks for; the rows of several have the column State."""

_GROUPS = frozenset({"all", "connected", "synchronized", "bucket", "big"})
"""Names of several states (ss(8), state filter)."""

_UNKNOWN = "UNKNOWN"
_DETAIL = re.compile(r"^\s+(?:\S|$)|^\s*(?:skmem|ino|timer|users):\(?")
_PROCESS = re.compile(r'users:\(\("(?P<name>[^"]{1,64})"')
_SKMEM = re.compile(r"skmem:\([^()]{1,200},d(?P<drops>\d{1,19})\)")
_TOTAL = re.compile(r"^\s*Total: \d+")
_SUMMARY = re.compile(r"^\s*TCP:\s+\d+ \((?P<counts>[a-z]+ \d+(?:/\d+)?(?:, [a-z]+ \d+(?:/\d+)?)*)\)")
_SUMMARY_ROW = re.compile(
    r"^\s*(?P<protocol>RAW|UDP|TCP|INET|FRAG|\*)\s+(?P<total>\d+|-)\s+(?:\d+|-)\s+(?:\d+|-)\s*$"
)
_SUMMARY_HEAD = re.compile(r"^\s*Transport\s+Total\s")

STARTS = (
    r"\s*(?:Netid\s+)?(?:State\s+)?Recv-Q\s+Send-Q\s",
    rf"\s*(?:{_NETID}\s+)?{_STATE}\s+\d+\s+\d+\s+\S+:\S+\s+\S+:",
    Start((r"\s*Total: \d",), near=(r"\s*TCP:\s+\d",), within=1),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a head, a row of an Internet socket, or totals start at `lines[at]`."""
    if _HEAD.match(lines[at]):
        return True
    if row := _ROW.match(lines[at]):
        return ":" in row["local"] and bool(re.match(r"\s+\S+:", row["rest"]))
    return bool(_TOTAL.match(lines[at]) and at + 1 < len(lines) and _SUMMARY.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` is a head, a row, the detail of a row, or a line of the totals."""
    shapes = (_HEAD, _ROW, _STATELESS, _DETAIL, _TOTAL, _SUMMARY, _SUMMARY_ROW, _SUMMARY_HEAD)
    return any(shape.match(line) for shape in shapes)


def read(text: Text) -> Reading:
    """Read sockets by protocol and state, queues of listeners, and packets that sockets dropped."""
    reader = FactReader(text)
    table = SocketTable(reader)
    last: Socket | None = None
    is_stateless, stated = False, _stated(transcript(text).command)
    for line, entry in enumerate(text.lines, start=text.first_line):
        if _HEAD.match(entry):
            is_stateless = "State" not in entry
        elif row := _ROW.match(entry) or (is_stateless and _STATELESS.match(entry)):
            last = _socket(row.groupdict(), stated)
            table.add(line, last)
            _add_drops(table, line, entry, last)
        elif last and _DETAIL.match(entry):
            _add_drops(table, line, entry, last)
        elif summary := _SUMMARY.match(entry):
            for one in summary["counts"].split(", "):
                state, _, count = one.partition(" ")
                labels = {"protocol": "tcp", "state": _SUMMED.get(state, state_name(state))}
                reader.add("net.socket.count", float(count.split("/")[0]), line, "count", labels)
        elif entry.strip() and not any(one.match(entry) for one in (_TOTAL, _SUMMARY_ROW, _SUMMARY_HEAD)):
            reader.skips.add("not a line of ss", line)
    table.finish()
    return reader.result()


_SUMMED = {"timewait": "time_wait", "synrecv": "syn_recv"}


def _stated(command: str) -> str:
    """Return the state of all rows that a command with a filter prints, as ss spells it."""
    begin = _COMMAND.search(command)
    states = _FILTER.findall(command, begin.end()) if begin else []
    if len(states) != 1 or states[0] in _GROUPS:
        return _UNKNOWN
    return "ESTAB" if states[0] == "established" else states[0].upper()


def _socket(row: dict[str, str | None], stated: str) -> Socket:
    """Return the socket of a row; Send-Q of a listener is the limit of its queue."""
    state = row.get("state") or stated
    process = _PROCESS.search(row["rest"] or "")
    send = int(row["send"] or 0)
    return Socket(
        row.get("protocol") or "",
        state,
        int(row["receive"] or 0),
        0 if state == "LISTEN" else send,
        row["local"] or "",
        send if state == "LISTEN" else None,
        process["name"] if process else "",
        next(iter((row["rest"] or "").split()), ""),
    )


def _add_drops(table: SocketTable, line: int, entry: str, socket: Socket) -> None:
    """Add the packets that the socket dropped, printed with its memory."""
    if (memory := _SKMEM.search(entry)) and int(memory["drops"]):
        table.add_drops(line, int(memory["drops"]), socket)
