"""`netstat -i`: packets, errors and drops of each network interface since it was created.

Example:
    Kernel Interface table
    Iface      MTU    RX-OK RX-ERR RX-DRP RX-OVR    TX-OK TX-ERR TX-DRP TX-OVR Flg
    eth0      1500   208635      0      0 0        163741      0      0      0 BMRU

Source: net-tools lib/interface.c (ife_print_short); netstat(8).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "netstat-interfaces"
VERSION = 1
TITLE = "netstat -i"
EXAMPLE = (
    "Kernel Interface table\n"
    "Iface      MTU    RX-OK RX-ERR RX-DRP RX-OVR    TX-OK TX-ERR TX-DRP TX-OVR Flg\n"
    "eth0      1500   208635      0      0 0        163741      0      0      0 BMRU"
)

PATHS: tuple[str, ...] = ("sos_commands/networking/netstat_-i*", "sos_commands/networking/netstat_-ni")
COMMANDS: tuple[str, ...] = (r"netstat -n?i",)
HINTS: tuple[str, ...] = ()

_TITLE = re.compile(r"^\s*Kernel Interface table\s*$")
_HEAD = re.compile(
    r"^\s*Iface\s+MTU\s+(?:Met\s+)?RX-OK\s+RX-ERR\s+RX-DRP\s+RX-OVR\s+TX-OK\s+TX-ERR\s+TX-DRP\s+TX-OVR\s+Flg\s*$"
)
_ROW = re.compile(
    r"^\s*(?P<interface>\S{1,32})\s+\d{1,9}(?:\s+\d{1,5})??(?P<counts>(?:\s+\d{1,20}){8})\s+[A-Za-z]{1,12}\s*$"
)
_NO_COUNTS = re.compile(r"^\s*\S+\s+\d+\s+(?:\d+\s+)?- no statistics available -")
_KEYS = (
    *("rx_packets", "rx_errors", "rx_dropped", "rx_fifo"),
    *("tx_packets", "tx_errors", "tx_dropped", "tx_fifo"),
)

STARTS = (r"\s*Kernel Interface table\s*$", r"\s*Iface\s+MTU\s")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head is at `lines[at]`."""
    if _TITLE.match(lines[at]):
        return at + 1 < len(lines) and bool(_HEAD.match(lines[at + 1]))
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a head or a row."""
    return any(shape.match(line) for shape in (_TITLE, _HEAD, _ROW, _NO_COUNTS))


def read(text: Text) -> Reading:
    """Read the counters of every interface: `net.interface.rx_dropped`."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        if row := _ROW.match(entry):
            for key, count in zip(_KEYS, row["counts"].split(), strict=True):
                reader.add(
                    f"net.interface.{key}", float(count), line, "count", {"interface": row["interface"]}
                )
        elif not _TITLE.match(entry) and not _HEAD.match(entry):
            reader.skips.add("not a row of an interface", line)
    return reader.result()
