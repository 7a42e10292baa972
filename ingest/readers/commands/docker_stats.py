"""`docker stats` and `podman stats`: CPU time, memory and I/O of each container.

Example:
    CONTAINER ID   NAME         CPU %     MEM USAGE / LIMIT   MEM %     NET I/O          BLOCK I/O        PIDS
    3f9d1c20ab7e   shop-api-1   187.42%   1.972GiB / 2GiB     98.60%    1.21GB / 884MB   12.4GB / 3.1MB   214

100 % are one CPU. Memory is without the page cache that can be dropped at once; its limit is the memory of
the machine where none is set. Amounts of network and block I/O are totals since the container began.
Source: docker/cli cli/command/container/formatter_stats.go; podman cmd/podman/containers/stats.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "docker-stats"
VERSION = 2
TITLE = "docker stats"
COMMAND = "docker stats --no-stream"
EXAMPLE = (
    "CONTAINER ID   NAME         CPU %     MEM USAGE / LIMIT   MEM %     NET I/O\n"
    "3f9d1c20ab7e   shop-api-1   187.42%   1.972GiB / 2GiB     98.60%    1.21GB / 884MB\n"
)

_SCREEN = re.compile(r"^(?:\x1b\[[0-9;]{0,8}[A-Za-z])+")
"""What clears the screen before each table of a stream."""

_HEAD = re.compile(r"^\s*(?:CONTAINER(?: ID)?|ID|NAME)\s(?:\s*NAME\s)?\s*CPU %\s+MEM USAGE / LIMIT(?:\s|$)")
_AMOUNT = r"(?P<{0}>\d{{1,9}}(?:\.\d{{1,9}})?)(?P<{0}_unit>[kKMGTP]?i?B)"
_MEMORY = _AMOUNT.format("memory") + " / " + _AMOUNT.format("memory_limit")
_NETWORK = _AMOUNT.format("network_received") + " / " + _AMOUNT.format("network_sent")
_BLOCK = _AMOUNT.format("read") + " / " + _AMOUNT.format("written")
_ROW = re.compile(
    rf"^\s*(?P<id>\S{{1,128}})(?:\s+(?P<name>\S{{1,255}}))?\s+(?P<cpu>\d{{1,7}}\.\d{{1,4}})%\s+{_MEMORY}"
    rf"(?:\s+\d{{1,5}}\.\d{{1,4}}%)?(?:\s+(?:{_NETWORK}|-- / --))?(?:\s+(?:{_BLOCK}|-- / --))?"
    r"(?:\s+(?P<pids>\d{1,9}))?(?:\s.*)?$"
)
_STOPPED = re.compile(r"^\s*\S{1,128}(?:\s+\S{1,255})?\s+--\s+-- / --\s")
_SCALES = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
_AMOUNTS = ("memory", "memory_limit", "network_received", "network_sent", "read", "written")

STARTS = (_HEAD.pattern, r"\x1b\[[0-9;]*[A-Za-z].*\sCPU %")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of the table is at `lines[at]`."""
    return bool(_HEAD.match(_plain(lines[at])))


def continues(line: str) -> bool:
    """Return whether `line` is a head or a container."""
    plain = _plain(line)
    return bool(_HEAD.match(plain) or _ROW.match(plain) or _STOPPED.match(plain))


def read(text: Text) -> Reading:
    """Read what each container uses, by its name, or its id where no name is printed."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        plain = _plain(entry)
        row = _ROW.match(plain)
        if row is None:
            if not _HEAD.match(plain):
                reader.skips.add("a container that does not run, or no row of the table", line)
            continue
        labels = {"container": row["name"] or row["id"]}
        reader.add("container.cpus", round(float(row["cpu"]) / 100, 6), line, "count", labels)
        for group in _AMOUNTS:
            if row[group]:
                size = _bytes(row[group], row[f"{group}_unit"])
                reader.add(f"container.{group}_bytes", size, line, "bytes", labels)
        if row["pids"]:
            reader.add("container.tasks", float(row["pids"]), line, "count", labels)
    return reader.result()


def _plain(line: str) -> str:
    return _SCREEN.sub("", line)


def _bytes(amount: str, unit: str) -> float:
    """Return an amount in bytes; only units with `i` are powers of 1024."""
    factor = 1024.0 if "i" in unit else 1000.0
    return float(round(float(amount) * factor ** _SCALES[unit.rstrip("iB").upper()]))
