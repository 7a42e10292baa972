"""`ip link`: state and queueing discipline of each interface; with `-s`, its counters since it was made.

Example:
    4: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1400 qdisc pfifo_fast state UP mode DEFAULT qlen 1000
        link/ether 02:fc:00:00:00:01 brd ff:ff:ff:ff:ff:ff
        RX:  bytes packets errors dropped  missed   mcast
        3333377745  208635      0       0       0       0
        TX:  bytes packets errors dropped carrier collsns
          15508325  163741      0       0       0       0

Without `-s`, and in `ip addr`, the first lines stand alone; addresses are not read.
Releases before 5.11 print `overrun` (rx_over_errors) for `missed`; `-s -s` adds `RX errors:` with its own
columns.
Source: print_linkinfo and print_stats64 in iproute2 ip/ipaddress.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "ip-link"
VERSION = 3
TITLE = "ip link"
EXAMPLE = (
    "4: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1400 qdisc pfifo_fast state UP mode DEFAULT "
    "qlen 1000\n"
    "    link/ether 02:fc:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
    "    RX:  bytes packets errors dropped  missed   mcast\n"
    "    3333377745  208635      0       0       0       0"
)

PATHS: tuple[str, ...] = ("sos_commands/networking/ip_-s*_link",)
COMMANDS: tuple[str, ...] = (r"ip (?:-\S+ )*-s(?:tat\S*)?(?: -\S+)* l(?:ink)?(?: .*)?",)
HINTS: tuple[str, ...] = ()

_INTERFACE = re.compile(
    r"^\s*\d{1,6}: (?P<interface>[^\s:@]{1,32})(?:@[^\s:]+)?: <(?P<flags>[A-Z0-9_,-]*)> mtu \d{1,7}(?: |$)"
)
_QDISC = re.compile(r" qdisc (?P<qdisc>[a-z][a-z0-9_]{1,15})(?: |$)")
_STATE = re.compile(r" state (?P<state>[A-Z]+)(?: |$)")
_HEAD = re.compile(r"^\s*(?P<way>RX|TX)(?P<errors> errors)?:\s+(?P<columns>[a-z]+(?:\s+[a-z]+){3,7})\s*$")
_COUNTS = re.compile(r"^\s*\d+(?:\s+\d+){3,7}\s*$")
_DETAIL = re.compile(r"^\s+\S")
_OWN_ERRORS = frozenset({"missed"})
"""Columns of the second table, `-s -s`, that the first lacks."""

_KEYS = {"mcast": "multicast", "collsns": "collisions"}

STARTS = (r"\s*\d+: \S+: <",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether an interface starts at `lines[at]`."""
    return bool(_INTERFACE.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is of an interface: its head or an indented detail."""
    return bool(_INTERFACE.match(line) or _DETAIL.match(line))


def read(text: Text) -> Reading:
    """Read state, discipline and counters of every interface: `net.interface.rx_dropped`."""
    reader = FactReader(text)
    labels: dict[str, str] = {}
    columns: list[str] = []
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _INTERFACE.match(entry):
            labels, columns = {"interface": found["interface"]}, []
            if state := _STATE.search(entry):
                reader.add("net.interface.state", state["state"], line, labels=labels)
            if qdisc := _QDISC.search(entry):
                reader.add("net.interface.qdisc", qdisc["qdisc"], line, labels=labels)
        elif head := _HEAD.match(entry):
            way = head["way"].lower()
            names = head["columns"].split()
            if head["errors"]:
                # The others are parts of `errors` above.
                names = [name if name in _OWN_ERRORS else "" for name in names]
            columns = [f"{way}_{_KEYS.get(name, name)}" if name else "" for name in names]
        elif labels and columns and _COUNTS.match(entry):
            counts = entry.split()
            for key, count in zip(columns, counts, strict=False):
                if not key:
                    continue
                unit = "bytes" if key.endswith("bytes") else "count"
                reader.add(f"net.interface.{key}", float(count), line, unit, labels)
            columns = []
        elif entry.strip() and not _DETAIL.match(entry):
            reader.skips.add("not a line of ip link", line)
    return reader.result()
