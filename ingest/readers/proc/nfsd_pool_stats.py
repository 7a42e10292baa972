"""`/proc/fs/nfsd/pool_stats`: whether a thread of the NFS server was free when a request came.

Example:
    # pool packets-arrived sockets-enqueued threads-woken threads-timedout
    0 9919427 9919427 9867288 40774

`sockets-enqueued` counts how often no thread was free at once.
Source: Documentation/filesystems/nfs/knfsd-stats.rst; svc_pool_stats_show in net/sunrpc/svc_xprt.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "nfsd-pool-stats"
VERSION = 1
TITLE = "/proc/fs/nfsd/pool_stats"
EXAMPLE = (
    "# pool packets-arrived sockets-enqueued threads-woken threads-timedout\n0 9919427 9919427 9867288 40774"
)

PATHS: tuple[str, ...] = ("proc/fs/nfsd/pool_stats",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_HEAD = re.compile(r"^# pool packets-arrived sockets-enqueued threads-woken\b")
_ROW = re.compile(r"^(?P<pool>\d{1,6})(?P<numbers>(?: \d{1,20}){3,5})\s*$")
_NAMES = ("packets_arrived", "sockets_enqueued", "threads_woken")

STARTS = (_HEAD.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head is at `lines[at]`."""
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is the head or a pool."""
    return bool(_HEAD.match(line) or _ROW.match(line))


def read(text: Text) -> Reading:
    """Read the counters of each pool of threads."""
    reader = FactReader(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        if row := _ROW.match(entry):
            for name, value in zip(_NAMES, row["numbers"].split(), strict=False):
                reader.add(f"nfsd.pool.{name}", float(value), line, "count", {"pool": row["pool"]})
        elif entry.strip() and not _HEAD.match(entry):
            reader.skips.add("not a pool", line)
    return reader.result()
