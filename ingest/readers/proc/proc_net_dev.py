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
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_FIRST = re.compile(r"^\s*Inter-\|\s+Receive")
_HEAD = re.compile(r"^\s*(?:Inter-\|\s+Receive|face \|bytes)\s")
_ROW = re.compile(r"^\s*(?P<interface>\S{1,32}):\s*(?P<counts>\d+(?:\s+\d+){15})\s*$")
_KEYS = (
    *("rx_bytes", "rx_packets", "rx_errors", "rx_dropped", "rx_fifo", "rx_frame", "", "rx_multicast"),
    *("tx_bytes", "tx_packets", "tx_errors", "tx_dropped", "tx_fifo", "tx_collisions", "tx_carrier", ""),
)


def _read(text: Text) -> Reading:
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


FORMAT = Lines(
    name="proc-net-dev",
    title="/proc/net/dev",
    example="Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls "
    "carrier compressed\n"
    "  eth0: 3333377745  208635    0    0    0     0          0         0 15508325  163741    0    0    0"
    "     0       0          0",
    paths=("proc/net/dev", "proc/*/net/dev"),
    hints=("proc_net_dev*",),
    begins_once=True,
    first=_FIRST,
    shapes=(_HEAD, _ROW),
    read=_read,
)
