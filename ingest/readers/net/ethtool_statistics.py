"""`ethtool -S`: counters of one network interface, under the names that its driver gives them.

Example:
    NIC statistics:
         rx_packets: 208635
         rx_missed_errors: 12
         rx_queue_0_drops: 0

The interface is not printed: it comes from the command or the path, `ethtool -S eth0`. People who print
several interfaces put its name above the counters instead, `eth0:`; without any head two names tell, or one
of packets that were lost.
Source: do_gstats in ethtool's ethtool.c; Documentation/networking/statistics.rst.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "ethtool-statistics"
VERSION = 1
TITLE = "ethtool -S"
EXAMPLE = "NIC statistics:\n     rx_packets: 208635\n     tx_packets: 163741"

PATHS: tuple[str, ...] = ("sos_commands/networking/ethtool_-S_*",)
COMMANDS: tuple[str, ...] = (r"ethtool (?:-S|--statistics) \S+",)
HINTS: tuple[str, ...] = ()

_HEAD = re.compile(r"^\s*NIC statistics:\s*$")
_ROW = re.compile(r"^\s*(?P<key>\S.{0,80}?)\s*:\s+(?P<value>\d{1,20})\s*$")
_NAMED = re.compile(r"^\s*(?P<interface>[a-z][\w.@-]{1,15}):\s*$")
_TELLING = re.compile(r"^\s*(?:rx|tx)_(?:packets|bytes|errors|dropped|octets)\s*:\s+\d{1,20}\s*$")
_LONE = re.compile(
    r"^\s*(?:rx_missed_errors|rx_no_buffer_count|rx_no_dma_resources|rx_fifo_errors|rx_discards_phy|"
    r"rx_out_of_buffer|rx_over_errors)\s*:\s+[1-9]\d{0,19}\s*$"
)
"""What a person quotes of hundreds of counters: packets that the interface had no room for."""

_WITHIN = 4
_INTERFACE = re.compile(r"(?:ethtool (?:-S|--statistics) |ethtool_-S_)(?P<interface>[\w.@-]{1,32})")
_UNKNOWN = re.compile(r"^\s*(?:no stats available|Cannot get stats )")

STARTS = (
    r"\s*NIC statistics:\s*$",
    _LONE.pattern,
    Start((_NAMED.pattern, _TELLING.pattern), near=(_TELLING.pattern,), within=_WITHIN),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head is at `lines[at]`, a name above counters, or two counters of any driver."""
    if _HEAD.match(lines[at]) or _LONE.match(lines[at]):
        return True
    rows = lines[at + 1 : at + 1 + _WITHIN]
    if _NAMED.match(lines[at]):
        return bool(rows) and bool(_ROW.match(rows[0])) and any(_TELLING.match(row) for row in rows)
    return bool(_TELLING.match(lines[at])) and any(_TELLING.match(row) for row in rows)


def continues(line: str) -> bool:
    """Return whether `line` is a counter."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read every counter: `net.driver.rx_missed_errors`."""
    reader = FactReader(text)
    found = _INTERFACE.search(text.command) or _INTERFACE.search(text.path)
    labels = {"interface": found["interface"]} if found else {}
    for line, entry in reader.lines():
        if _HEAD.match(entry):
            continue
        if line == text.first_line and (named := _NAMED.match(entry)):
            labels = {"interface": named["interface"]}
            continue
        row = _ROW.match(entry)
        if row is None:
            reader.skips.add("no counters" if _UNKNOWN.match(entry) else "not a counter of ethtool -S", line)
            continue
        key = re.sub(r"\W+", "_", row["key"].lower()).strip("_")
        unit = "bytes" if key.endswith(("_bytes", "_octets")) else "count"
        if key:
            reader.add(f"net.driver.{key}", float(row["value"]), line, unit, labels)
        else:
            reader.skips.add("not a counter of ethtool -S", line)
    return reader.result()
