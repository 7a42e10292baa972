"""`/proc/net/netlink`: netlink sockets, the memory they hold, and messages they dropped.

Example:
    sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    Inode
    0000000000000000 0   186014     00000113 0        0        0     2        1        33580

A drop is a message that found the receive buffer of the socket full: its program missed an event.
Source: netlink_native_seq_show in net/netlink/af_netlink.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_HEAD = re.compile(r"^\s*sk\s+Eth\s+Pid\s+Groups\s+Rmem\s+Wmem\s+Dump\s+Locks\s+Drops\s+Inode\s*$")
_ROW = re.compile(
    r"^\s*[0-9a-f]{8,16}\s+(?P<protocol>\d+)\s+(?P<port>-?\d+)\s+[0-9a-f]{8}\s+(?P<rmem>\d+)\s+\d+\s+\S+\s+\d+\s+"
    r"(?P<drops>\d+)\s+(?P<inode>\d+)\s*$"
)


def _read(text: Text) -> Reading:
    """Read the number of sockets, and memory and drops of each that has any: `net.netlink.drops`."""
    reader = FactReader(text)
    sockets, last = 0, text.first_line
    for line, entry in reader.lines():
        if _HEAD.match(entry):
            continue
        row = _ROW.match(entry)
        if row is None:
            reader.skips.add("not a netlink socket", line)
            continue
        sockets, last = sockets + 1, line
        labels = {"port": row["port"], "inode": row["inode"]}
        if row["drops"] != "0":
            reader.add("net.netlink.drops", float(row["drops"]), line, "count", labels)
        if row["rmem"] != "0":
            reader.add("net.netlink.receive_bytes", float(row["rmem"]), line, "bytes", labels)
    reader.add("net.netlink.sockets", float(sockets), last, "count")
    return reader.result()


FACTS = {
    "net.netlink.sockets": Meaning("netlink sockets", "count", example="net.netlink.sockets = 12"),
}
FORMAT = Lines(
    name="proc-net-netlink",
    title="/proc/net/netlink",
    example="sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    Inode\n"
    "0000000000000000 0   186014     00000113 0        0        0     2        1        33580",
    paths=("proc/net/netlink", "proc/*/net/netlink"),
    hints=("proc_net_netlink*",),
    first=_HEAD,
    shapes=(_HEAD, _ROW),
    read=_read,
)
