"""`/proc/net/rpc/nfsd`: what the NFS server of the kernel did since it was loaded.

Example:
    rc 8 33197486 191137911
    fh 92793 0 0 0 0
    io 1111233385 2218476964
    th 8 0 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000
    net 224334684 10 224312219 502813
    rpc 224331654 0 0 0 0

`rc` is the reply cache (hits, misses, not cached), `fh` begins with stale file handles, `th` with the number
of threads: what stands after it is 0 since 2.6.30, so this file does not tell whether all are busy. `rpc` is
calls, bad ones, and of these bad format, authentication, client.
Source: nfsd_show in fs/nfsd/stats.c, svc_seq_show in net/sunrpc/stats.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_FIRST = re.compile(r"^rc \d+ \d+ \d+\s*$")
_BELOW = re.compile(r"^fh ")
_ROW = re.compile(
    r"^(?P<kind>rc|fh|io|th|ra|net|rpc|proc[234](?:ops)?|wdeleg_getattr)"
    r"(?P<numbers>(?: \d{1,20}(?:\.\d{1,6})?){1,90})\s*$"
)
_NAMES = {
    "rc": ("reply_cache.hits", "reply_cache.misses", "reply_cache.not_cached"),
    "fh": ("stale_handles",),
    "io": ("read_bytes", "written_bytes"),
    "th": ("threads",),
    "net": ("packets", "udp_packets", "tcp_packets", "tcp_connections"),
    "rpc": ("calls", "bad_calls", "bad_format", "bad_authentication", "bad_client"),
}


def _read(text: Text) -> Reading:
    """Read the counters of the reply cache, file handles, bytes, threads, network and calls."""
    reader = FactReader(text)
    for line, row in reader.matching(_ROW, "not a row of nfsd"):
        for name, value in zip(_NAMES.get(row["kind"], ()), row["numbers"].split(), strict=False):
            unit = "bytes" if name.endswith("_bytes") else "count"
            reader.add(f"nfsd.{name}", float(value), line, unit)
    return reader.result()


FACTS = {
    "nfsd.<key>_bytes": Meaning("bytes that the NFS server read and wrote", "bytes"),
    "nfsd.<key>": Meaning(
        "counters of the NFS server since it was loaded: calls, bad calls, reply cache, stale file handles; "
        "its threads",
        "count",
    ),
}
FORMAT = Lines(
    name="proc-net-rpc-nfsd",
    title="/proc/net/rpc/nfsd",
    example="rc 8 33197486 191137911\nfh 92793 0 0 0 0\nio 1111233385 2218476964\nrpc 224331654 0 0 0 0",
    paths=("proc/net/rpc/nfsd",),
    hints=("proc_net_rpc_nfsd*",),
    first=_FIRST,
    below=_BELOW,
    shapes=(_ROW,),
    read=_read,
)
