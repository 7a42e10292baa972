"""`/proc/fs/nfsd/pool_stats`: whether a thread of the NFS server was free when a request came.

Example:
    # pool packets-arrived sockets-enqueued threads-woken threads-timedout
    0 9919427 9919427 9867288 40774

`sockets-enqueued` counts how often no thread was free at once.
Source: Documentation/filesystems/nfs/knfsd-stats.rst; svc_pool_stats_show in net/sunrpc/svc_xprt.c.
"""

from __future__ import annotations

import re

from ingest.parsing.shapes import Column, Meaning, Table

_ROW = re.compile(
    r"^(?P<pool>\d{1,6}) (?P<arrived>\d{1,20}) (?P<enqueued>\d{1,20}) (?P<woken>\d{1,20})"
    r"(?: \d{1,20}){0,2}\s*$"
)
_HEAD = re.compile(r"^# pool packets-arrived sockets-enqueued threads-woken\b")

FACTS = {
    "nfsd.pool.<key>": Meaning(
        "requests that came for a pool of threads of the NFS server, times that no thread was free at once, "
        "threads woken",
        "count",
        ("pool",),
    ),
}
FORMAT = Table(
    name="nfsd-pool-stats",
    title="/proc/fs/nfsd/pool_stats",
    example="# pool packets-arrived sockets-enqueued threads-woken threads-timedout\n"
    "0 9919427 9919427 9867288 40774",
    paths=("proc/fs/nfsd/pool_stats",),
    first=_HEAD,
    head=_HEAD,
    row=_ROW,
    labels=("pool",),
    columns={
        "arrived": Column("nfsd.pool.packets_arrived", "count"),
        "enqueued": Column("nfsd.pool.sockets_enqueued", "count"),
        "woken": Column("nfsd.pool.threads_woken", "count"),
    },
    skipped="not a pool",
)
