"""`/proc/net/sockstat`: sockets in use, and pages they hold.

Example:
    sockets: used 1031
    TCP: inuse 8 orphan 0 tw 0 alloc 10 mem 1
    UDP: inuse 4 mem 2

`mem` counts pages; against `net.ipv4.tcp_mem` it shows whether TCP is short of memory.
Source: sockstat_seq_show in net/ipv4/proc.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-net-sockstat"
VERSION = 1
TITLE = "/proc/net/sockstat"
EXAMPLE = "sockets: used 1031\nTCP: inuse 8 orphan 0 tw 0 alloc 10 mem 1"

PATHS: tuple[str, ...] = ("proc/net/sockstat", "proc/net/sockstat6", "proc/*/net/sockstat")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_ROW = re.compile(
    r"^(?P<kind>sockets|(?:TCP|UDP|UDPLITE|RAW|FRAG)6?):"
    r"(?P<pairs>(?: (?:used|inuse|orphan|tw|alloc|mem|memory) \d+)+)\s*$"
)


STARTS = (_ROW.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`."""
    return bool(_ROW.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a kind of socket."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read every count: `net.sockstat.tcp_mem_pages`, `net.sockstat.tcp_inuse`."""
    reader = FactReader(text)
    for line, row in reader.matching(_ROW, "not a kind of socket"):
        words = row["pairs"].split()
        for key, value in zip(words[::2], words[1::2], strict=True):
            name = {"mem": "mem_pages", "memory": "memory_bytes"}.get(key, key)
            unit = "bytes" if name.endswith("_bytes") else "count"
            reader.add(f"net.sockstat.{row['kind'].lower()}_{name}", float(value), line, unit)
    return reader.result()
