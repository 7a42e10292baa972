"""`/proc/self/mountstats`: what each NFS mount of a client did since it was mounted, by operation.

Example:
    device nas:/data mounted on /mnt with fstype nfs4 statvers=1.1
            age:    1969800
            per-op statistics
                    READ: 43026 43026 0 7228368 34778206720 1782 2197001 2206478

The numbers of an operation are: operations, transmissions, major timeouts, bytes sent and received, and
milliseconds queued, from sending to the reply, and in all; newer kernels add errors. Mounts of other file
systems say nothing more than that they are there.
Source: rpc_clnt_show_stats and _print_rpc_iostats in net/sunrpc/stats.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.reading import Reading
    from ingest.model.section import Text

_UNNAMED = re.compile(r"^no device ")
_MOUNT = re.compile(
    r"^device (?P<device>\S{1,512}) mounted on (?P<mount>\S{1,512}) with fstype (?P<type>\S{1,64})"
)
_OPERATION = re.compile(r"^\s*(?P<name>[A-Z][A-Z0-9_]{2,40}):(?P<numbers>(?: \d{1,20}){8,9})\s*$")
_DETAIL = re.compile(
    r"^\s*(?:opts|age|impl_id|caps|nfsv4|sec|events|bytes|fsc|xprt|RPC iostats version|per-op statistics)\b"
)


def _read(text: Text) -> Reading:
    """Read the operations of each NFS mount that it did at all."""
    reader = FactReader(text)
    labels: dict[str, str] = {}
    for line, entry in reader.lines():
        if mount := _MOUNT.match(entry):
            labels = {"mount": mount["mount"]} if mount["type"].startswith("nfs") else {}
        elif (row := _OPERATION.match(entry)) and labels:
            _operation(reader, line, row, labels)
        elif not _DETAIL.match(entry) and not entry.startswith("no device "):
            reader.skips.add("not an entry of mountstats", line)
    return reader.result()


def _operation(reader: FactReader, line: int, row: re.Match[str], labels: Mapping[str, str]) -> None:
    """Add what an operation took on average; nothing for one that was never done."""
    done, sent, timeouts, _, _, _, rtt, exe = (float(one) for one in row["numbers"].split()[:8])
    if not done:
        return
    name = f"nfs.since_mount.{row['name'].lower()}"
    reader.add(f"{name}.operations", done, line, "count", labels)
    reader.add(f"{name}.sent_again", max(0.0, sent - done), line, "count", labels)
    reader.add(f"{name}.timeouts", timeouts, line, "count", labels)
    reader.add(f"{name}.rtt_ms", round(rtt / done, 4), line, "ms", labels)
    reader.add(f"{name}.exe_ms", round(exe / done, 4), line, "ms", labels)


FACTS = {
    "nfs.since_mount.<key>.operations": Meaning(
        "operations of one kind of an NFS mount since it was mounted", "count", ("mount",)
    ),
    "nfs.since_mount.<key>.sent_again": Meaning(
        "transmissions of operations of one kind of an NFS mount beyond the first", "count", ("mount",)
    ),
    "nfs.since_mount.<key>.timeouts": Meaning(
        "operations of one kind of an NFS mount that met the major timeout, after all retransmissions",
        "count",
        ("mount",),
    ),
    "nfs.since_mount.<key>.rtt_ms": Meaning(
        "average time from sending an operation to its reply since the mount", "ms", ("mount",)
    ),
    "nfs.since_mount.<key>.exe_ms": Meaning(
        "average time of an operation in the client since the mount, waiting included", "ms", ("mount",)
    ),
}
FORMAT = Lines(
    name="proc-mountstats",
    title="/proc/self/mountstats",
    example="device nas:/data mounted on /mnt with fstype nfs4 statvers=1.1\n"
    "\tREAD: 43026 43026 0 7228368 34778206720 1782 2197001 2206478",
    paths=("proc/*/mountstats",),
    hints=("proc_self_mountstats*", "mountstats*"),
    first=_MOUNT,
    shapes=(_MOUNT, _OPERATION, _DETAIL, _UNNAMED),
    read=_read,
)
