"""`/proc/drbd`: DRBD devices of release 8, with their connection, disks and what is not in sync.

Example:
    version: 8.4.11-1 (api:1/proto:86-101)
     0: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate C r-----
        ns:1204982 nr:0 dw:8400954 dr:1197783 al:34 bm:0 lo:0 pe:0 ua:0 ap:0 ep:1 wo:f oos:0

Release 9 has the state in `drbdsetup status`. `oos` counts KiB. Source: the DRBD 8.4 User's Guide.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_HEAD = re.compile(r"^version: \d{1,3}\.\d{1,3}\.\S{1,20} \(api:")
_BUILD = re.compile(r"^(?:GIT-hash|srcversion): ")
_STATE = re.compile(
    r"^\s{0,4}(?P<device>\d{1,7}): cs:(?P<connection>\w{1,40})"
    r"(?: ro:\w{1,20}/\w{1,20} ds:(?P<disk>\w{1,20})/(?P<peer>\w{1,20}))?"
)
_COUNTERS = re.compile(r"^\s{1,12}ns:\d{1,20} .{0,300}\boos:(?P<kib>\d{1,20})")
_PROGRESS = re.compile(r"^\s{1,12}(?:\[[>=.]{1,40}\] (?:sync|verified)|finish: )")


def _read(text: Text) -> Reading:
    """Read the state of each device, and how much of it is not in sync."""
    reader = FactReader(text)
    device = ""
    for line, entry in enumerate(text.lines, start=text.first_line):
        if state := _STATE.match(entry):
            device = f"drbd{state['device']}"
            reader.add("drbd.peer", 1.0, line, "count", {"device": device, "connection": state["connection"]})
            if state["disk"]:
                reader.add("drbd.disk", 1.0, line, "count", {"device": device, "disk": state["disk"]})
                reader.add("drbd.peer_disk", 1.0, line, "count", {"device": device, "disk": state["peer"]})
        elif device and (counters := _COUNTERS.match(entry)):
            behind = float(counters["kib"]) * BYTES_PER_KIB
            reader.add("drbd.out_of_sync_bytes", behind, line, "bytes", {"device": device})
        elif entry.strip() and not any(one.match(entry) for one in (_HEAD, _BUILD, _PROGRESS)):
            reader.skips.add("not a device of DRBD", line)
    return reader.result()


FORMAT = Lines(
    name="proc-drbd",
    title="/proc/drbd",
    example="version: 8.4.11-1 (api:1/proto:86-101)\n"
    " 0: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate C r-----\n"
    "    ns:1204982 nr:0 dw:8400954 dr:1197783 al:34 bm:0 lo:0 pe:0 ua:0 ap:0 ep:1 wo:f oos:0",
    paths=("proc/drbd",),
    begins_once=True,
    first=_HEAD,
    shapes=(_HEAD, _BUILD, _STATE, _COUNTERS, _PROGRESS),
    read=_read,
)
