"""`drbdsetup status`: DRBD resources of release 9, with their connections, disks and what is not in sync.

Example:
    r0 node-id:0 role:Primary suspended:no
      volume:0 minor:1 disk:UpToDate quorum:yes
          size:1048508 read:2160 written:1048508
      bob node-id:1 connection:Connecting role:Unknown congested:no
        volume:0 replication:Off peer-disk:DUnknown resync-suspended:no
            received:0 sent:0 out-of-sync:4096 pending:0 unacked:0

Without `--verbose` what is as it should be is left out. `out-of-sync` counts KiB. Source: drbdsetup(8).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_RESOURCE = re.compile(r"^(?P<name>[A-Za-z][\w.-]{0,60}) (?:node-id:\d{1,4} )?role:\w{1,20}(?:\s|$)")
_INSIDE = re.compile(r"^\s{1,12}(?:[A-Za-z][\w.-]{0,60} )?[a-z][a-z-]{1,20}:\S")
_VALUE = re.compile(r"(?<!\S)(?P<key>disk|peer-disk|connection|out-of-sync):(?P<value>[\w-]{1,40})")
_NAMES = {"disk": "drbd.disk", "peer-disk": "drbd.peer_disk", "connection": "drbd.peer"}


def _read(text: Text) -> Reading:
    """Read the state of the disks and connections of each resource."""
    reader = FactReader(text)
    name = ""
    for line, entry in enumerate(text.lines, start=text.first_line):
        if resource := _RESOURCE.match(entry):
            name = resource["name"]
        elif not name or not _INSIDE.match(entry):
            if entry.strip():
                reader.skips.add("not a line of a DRBD resource", line)
            continue
        for found in _VALUE.finditer(entry):
            key, value = found["key"], found["value"]
            if key == "out-of-sync":
                if value.isdecimal():
                    behind = float(value[:20]) * BYTES_PER_KIB
                    reader.add("drbd.out_of_sync_bytes", behind, line, "bytes", {"device": name})
            else:
                label = "connection" if key == "connection" else "disk"
                reader.add(_NAMES[key], 1.0, line, "count", {"device": name, label: value})
    return reader.result()


FORMAT = Lines(
    name="drbdsetup-status",
    title="drbdsetup status",
    example="r0 node-id:0 role:Primary suspended:no\n"
    "  volume:0 minor:1 disk:UpToDate quorum:yes\n"
    "  bob node-id:1 connection:Connecting role:Unknown congested:no",
    paths=("sos_commands/drbd/drbdsetup_status*",),
    commands=(r"drbdsetup status(?: -\S+)*(?: [\w.-]+)?", r"drbdadm status(?: [\w.-]+)?"),
    first=_RESOURCE,
    below=_INSIDE,
    shapes=(_RESOURCE, _INSIDE),
    read=_read,
)
