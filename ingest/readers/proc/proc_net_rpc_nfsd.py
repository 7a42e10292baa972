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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-net-rpc-nfsd"
VERSION = 1
TITLE = "/proc/net/rpc/nfsd"
EXAMPLE = "rc 8 33197486 191137911\nfh 92793 0 0 0 0\nio 1111233385 2218476964\nrpc 224331654 0 0 0 0"

PATHS: tuple[str, ...] = ("proc/net/rpc/nfsd",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_net_rpc_nfsd*",)

_ROW = re.compile(
    r"^(?P<kind>rc|fh|io|th|ra|net|rpc|proc[234](?:ops)?|wdeleg_getattr)"
    r"(?P<numbers>(?: \d{1,20}(?:\.\d{1,6})?){1,90})\s*$"
)
_NAMES = {
    "rc": ("reply_cache.hits", "reply_cache.misses", "reply_cache.not_cached"),
    "fh": ("stale_handles",),
    "th": ("threads",),
    "net": ("packets", "udp_packets", "tcp_packets", "tcp_connections"),
    "rpc": ("calls", "bad_calls", "bad_format", "bad_authentication", "bad_client"),
}

STARTS = (r"rc \d+ \d+ \d+\s*$",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the reply cache is at `lines[at]`, with the file handles below."""
    following = lines[at + 1] if at + 1 < len(lines) else ""
    return bool(_ROW.match(lines[at]) and lines[at].startswith("rc ") and following.startswith("fh "))


def continues(line: str) -> bool:
    """Return whether `line` can occur in the file."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read the counters of the reply cache, file handles, threads, network and calls."""
    reader = FactReader(text)
    for line, row in reader.matching(_ROW, "not a row of nfsd"):
        names = _NAMES.get(row["kind"], ())
        for name, value in zip(names, row["numbers"].split(), strict=False):
            reader.add(f"nfsd.{name}", float(value), line, "count")
        if row["kind"] == "io":
            for name, value in zip(("read_bytes", "written_bytes"), row["numbers"].split(), strict=False):
                reader.add(f"nfsd.{name}", float(value), line, "bytes")
    return reader.result()
