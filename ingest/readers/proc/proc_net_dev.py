"""`/proc/net/dev`: packets, errors and drops of each network interface since it was created.

Example:
    Inter-|   Receive                                                |  Transmit
     face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls …
      eth0: 3333377745  208635    0    0    0     0          0         0 15508325  163741    0    0    0 …

Source: dev_seq_printf_stats in net/core/net-procfs.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-net-dev"
VERSION = 1
TITLE = "/proc/net/dev"
EXAMPLE = (
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls "
    "carrier compressed\n"
    "  eth0: 3333377745  208635    0    0    0     0          0         0 15508325  163741    0    0    0"
    "     0       0          0"
)

PATHS: tuple[str, ...] = ("proc/net/dev", "proc/*/net/dev")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_net_dev*",)
BEGINS_ONCE = True

_HEAD = re.compile(r"^\s*(?:Inter-\|\s+Receive|face \|bytes)\s")
_ROW = re.compile(r"^\s*(?P<interface>\S{1,32}):\s*(?P<counts>\d+(?:\s+\d+){15})\s*$")
_KEYS = (
    *("rx_bytes", "rx_packets", "rx_errors", "rx_dropped", "rx_fifo", "rx_frame", "", "rx_multicast"),
    *("tx_bytes", "tx_packets", "tx_errors", "tx_dropped", "tx_fifo", "tx_collisions", "tx_carrier", ""),
)

STARTS = (r"\s*Inter-\|\s+Receive",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`."""
    return bool(_HEAD.match(lines[at])) and "Inter-|" in lines[at]


def continues(line: str) -> bool:
    """Return whether `line` is a head or the row of an interface."""
    return bool(_HEAD.match(line) or _ROW.match(line))


def read(text: Text) -> Reading:
    """Read the counters of every interface: `net.interface.rx_dropped`."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        if _HEAD.match(entry):
            continue
        row = _ROW.match(entry)
        if row is None:
            reader.skips.add("not a row of an interface", line)
            continue
        labels = {"interface": row["interface"]}
        for key, count in zip(_KEYS, row["counts"].split(), strict=True):
            if key:
                unit = "bytes" if key.endswith("bytes") else "count"
                reader.add(f"net.interface.{key}", float(count), line, unit, labels)
    return reader.result()
