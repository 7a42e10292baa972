"""`nfsiostat`: how fast the NFS mounts of a client are answered.

Example:
    nas01:/export/home mounted on /home:

               ops/s       rpc bklog
               12.340           0.000

    read:              ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)
                       4.123        512.210         124.233        0 (0.0%)           2.413           3.120

`avg exe` is the time of an operation in the client, `avg RTT` that between sending it and the reply. The
first report is the average since the mount.
Source: tools/nfs-iostat/nfs-iostat.py of nfs-utils; nfsiostat(8).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "nfsiostat"
VERSION = 1
TITLE = "nfsiostat"
COMMAND = "nfsiostat 5 2"
EXAMPLE = (
    "nas01:/export/home mounted on /home:\n\n"
    "           ops/s       rpc bklog\n"
    "           12.340           0.000"
)

_MOUNT = re.compile(r"^(?:\[[^\s\]]{2,80}\]|[^\s:]{1,255}):/\S* mounted on (?P<mount>/\S*):\s*$")
_TOTALS = re.compile(r"^\s*ops?/s\s+rpc bklog\s*$")
_HEAD = re.compile(
    r"^(?P<kind>read|write):\s+ops/s\s+kB/s\s+kB/op\s+retrans\s+avg RTT \(ms\)\s+avg exe \(ms\)"
)
_NUMBERS = re.compile(r"^\s*\d{1,15}\.\d+(?:\s+\d{1,15}(?:\.\d+)?| \(\d+\.\d+%\))*\s*$")
_RETRANSMITTED = re.compile(r"\s\d+ \((?P<percent>\d+\.\d+)%\)")

_CELL = re.compile(r"^\d{1,15}(?:\.\d{1,9})?$")

STARTS = (_MOUNT.pattern, _HEAD.pattern)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a mount, or the table of its reads or writes, is at `lines[at]`."""
    following = lines[at + 1 : at + 5]
    return bool(_HEAD.match(lines[at])) or bool(
        _MOUNT.match(lines[at]) and any(_TOTALS.match(line) for line in following)
    )


def continues(line: str) -> bool:
    """Return whether `line` is a mount, a head or a row."""
    return any(shape.match(line) for shape in (_MOUNT, _TOTALS, _HEAD, _NUMBERS))


def read(text: Text) -> Reading:
    """Read latencies, retransmissions and the backlog of each mount."""
    reader = FactReader(text)
    labels: dict[str, str] = {}
    kind = ""
    for line, entry in reader.lines():
        if mount := _MOUNT.match(entry):
            labels, kind = {"mount": mount["mount"]}, ""
        elif _TOTALS.match(entry):
            kind = "all"
        elif head := _HEAD.match(entry):
            kind = head["kind"]
        elif kind and _NUMBERS.match(entry):
            if not _row(reader, kind, entry, line, labels):
                reader.skips.add("not a row of nfsiostat", line)
            kind = ""
        elif entry.strip():
            reader.skips.add("not a row of nfsiostat", line)
    return reader.result()


def _row(reader: FactReader, kind: str, entry: str, line: int, labels: dict[str, str]) -> bool:
    """Add the values of one row: of all operations the backlog, else rate, retransmissions and times.

    False for a damaged row.
    """
    retransmitted = _RETRANSMITTED.search(entry)
    words = _RETRANSMITTED.sub("", entry).split()
    if not all(map(_CELL.match, words)):
        return False
    cells = list(map(float, words))
    if kind == "all":
        if len(cells) == 2:
            reader.add("nfs.rpc_backlog", cells[1], line, "count", labels)
        return True
    named = ("ops_per_second", "", "", "rtt_ms", "exe_ms")
    for name, value in zip(named, cells, strict=False):
        if name:
            unit = "ms" if name.endswith("_ms") else "per_second"
            reader.add(f"nfs.{kind}.{name}", value, line, unit, labels)
    if retransmitted:
        share = round(float(retransmitted["percent"]) / 100, 6)
        reader.add(f"nfs.{kind}.retransmitted_share", share, line, "share", labels)
    return True
