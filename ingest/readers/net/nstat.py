"""`nstat`: counters of the network stack by name, as a table or as JSON (-j).

Example:
    #kernel
    IpInReceives                    4934553            0.0
    TcpExtListenOverflows           3346               0.0

    {"kernel":{"IpInReceives":4934553,"TcpExtListenOverflows":3346}}

With `-a` they are what `/proc/net/snmp` and `/proc/net/netstat` hold, and have the same names here.
Without it they are increments since the previous run of nstat, and only the command above shows that.
Source: iproute2 misc/nstat.c (dump_kern_db, dump_incr_db).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "nstat"
VERSION = 1
TITLE = "nstat"
EXAMPLE = "#kernel\nIpInReceives                    4934553            0.0"

PATHS: tuple[str, ...] = ("sos_commands/*/nstat_-*",)
COMMANDS: tuple[str, ...] = (r"nstat(?: .*)?",)
HINTS: tuple[str, ...] = ()

# The longest first: TcpExt is not Tcp.
_PREFIXES = (
    "MPTcpExt",
    "IcmpMsg",
    "UdpLite6",
    "UdpLite",
    "TcpExt",
    "Icmp6",
    "IpExt",
    "Icmp",
    "Udp6",
    "Tcp",
    "Udp",
)
_NAME = re.compile(rf"^(?P<group>{'|'.join(_PREFIXES)}|Ip6|Ip)(?P<name>[A-Z0-9]\w*)$")
_ROW = re.compile(r"^(?P<name>[A-Z][A-Za-z0-9]{3,60})\s+(?P<number>\d{1,20})\s+\d+\.\d$")
_HEAD = re.compile(r"^#(?:kernel|\d+\.\d+ sampling_interval=.*)$")
_JSON = re.compile(r'^\{"kernel":\{"[A-Z]\w+":\d')
_ABSOLUTE = re.compile(r"\snstat(?:\s+-\S+)*\s+-(?:\w*a|-ignore)|\s--ignore")


STARTS = (
    _JSON.pattern,
    _HEAD.pattern,
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the output starts at `lines[at]`."""
    if _JSON.match(lines[at]):
        return True
    return bool(_HEAD.match(lines[at])) and at + 1 < len(lines) and bool(_ROW.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` is a row."""
    return bool(_ROW.match(line) or _HEAD.match(line))


def read(text: Text) -> Reading:
    """Read every counter: `net.tcpext.listenoverflows`, or `net.since.…` when it may be a difference."""
    reader = FactReader(text)
    is_absolute = bool(_ABSOLUTE.search(f" {text.command}")) or text.path.rpartition("/")[2].startswith(
        "nstat_-"
    )
    prefix = "net" if is_absolute else "net.since"
    for line, name, value in _counters(reader):
        found = _NAME.match(name)
        if found:
            reader.add(f"{prefix}.{found['group'].lower()}.{found['name'].lower()}", value, line, "count")
        else:
            reader.skips.add("a counter of no known protocol", line)
    return reader.result()


def _counters(reader: FactReader) -> Iterator[tuple[int, str, float]]:
    """Yield (line, name, value) of every counter."""
    for line, entry in reader.lines():
        if row := _ROW.match(entry):
            yield line, row["name"], float(row["number"])
        elif _JSON.match(entry):
            yield from ((line, name, value) for name, value in _document(entry))
        elif not _HEAD.match(entry):
            reader.skips.add("not a row of nstat", line)


def _document(entry: str) -> Iterator[tuple[str, float]]:
    """Yield what one line of JSON holds; nothing when it is cut off."""
    try:
        counters = json.loads(entry)["kernel"]
    except (ValueError, KeyError, RecursionError):
        return
    for name, value in counters.items() if isinstance(counters, dict) else ():
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield name, float(value)
