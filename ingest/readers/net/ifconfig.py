"""`ifconfig`: packets, errors and drops of each network interface.

Examples:
    eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500
            RX packets 208635  bytes 3333377745 (3.1 GiB)
            RX errors 0  dropped 2829  overruns 0  frame 0

    eth0      Link encap:Ethernet  HWaddr 52:54:00:12:34:56
              RX packets:208635 errors:0 dropped:2829 overruns:0 frame:0

Source: net-tools lib/interface.c (ife_print_long), 1.60 and 2.10; busybox networking/interface.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "ifconfig"
VERSION = 1
TITLE = "ifconfig"
EXAMPLE = (
    "eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500\n"
    "        RX packets 208635  bytes 3333377745 (3.1 GiB)\n"
    "        RX errors 0  dropped 2829  overruns 0  frame 0"
)

PATHS: tuple[str, ...] = ("sos_commands/networking/ifconfig_-a",)
COMMANDS: tuple[str, ...] = (r"ifconfig(?: -a)?(?: \S+)?",)
HINTS: tuple[str, ...] = ()

_HEAD = re.compile(
    r"^(?P<interface>[\w.@-]{1,32}(?::\d+)?)(?::\s+flags=\d+<[A-Z,]*>\s+mtu \d+|\s+Link encap:\S.*)\s*$"
)
_DETAIL = re.compile(r"^\s+\S")
_WAY = re.compile(r"^\s+(?P<way>RX|TX) (?=(?:packets|errors)[: ])(?P<rest>.*)$")
_COUNT = re.compile(r"\b(?P<key>[a-z]+)[: ](?P<count>\d{1,20})\b")
_KEYS = {
    "packets": "packets",
    "bytes": "bytes",
    "errors": "errors",
    "dropped": "dropped",
    "overruns": "fifo",
    "frame": "frame",
    "carrier": "carrier",
    "collisions": "collisions",
}
"""Names of `ip -s link` where the counter is the same."""

LOOK_AHEAD = 8

STARTS = (r"\S+: +flags=\d+<", r"\S+ +Link encap:")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether an interface with counters starts at `lines[at]`."""
    return bool(_HEAD.match(lines[at])) and any(_WAY.match(line) for line in lines[at + 1 : at + LOOK_AHEAD])


def continues(line: str) -> bool:
    """Return whether `line` is of an interface: its head or an indented detail."""
    return bool(_HEAD.match(line) or _DETAIL.match(line))


def read(text: Text) -> Reading:
    """Read the counters of every interface: `net.interface.rx_dropped`."""
    reader = FactReader(text)
    labels: dict[str, str] = {}
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _HEAD.match(entry):
            labels = {"interface": found["interface"]}
        elif (counts := _WAY.match(entry)) and labels:
            for one in _COUNT.finditer(counts["rest"]):
                if key := _KEYS.get(one["key"]):
                    name = f"net.interface.{counts['way'].lower()}_{key}"
                    reader.add(
                        name, float(one["count"]), line, "bytes" if key == "bytes" else "count", labels
                    )
        elif entry.strip() and not _DETAIL.match(entry):
            reader.skips.add("not a line of an interface", line)
    return reader.result()
