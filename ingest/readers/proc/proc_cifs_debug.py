r"""`/proc/fs/cifs/DebugData`: connections of the SMB client, what they wait for, and shares that are away.

Example:
    Display Internal CIFS Data Structures for Debugging
    ---------------------------------------------------
    CIFS Version 2.46

    Servers:
    1) ConnectionId: 0x70e Hostname: w22-root2.gandalf.test
    TCP status: 4 Instance: 77
    Local Users To Server: 1 SecMode: 0x1 Req On Wire: 0 Net namespace: 4026531840
    In Send: 0 In MaxReq Wait: 0

The status is that of the connection: 0 new, 1 good, 2 exiting, 3 needs a reconnect, 4 needs to negotiate,
5 negotiates. Requests below MIDs are open: sent, or about to be. Other lines describe sessions and shares.
Source: cifs_debug_data_proc_show in fs/smb/client/cifs_debug.c, enum statusEnum in cifsglob.h.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

STATES = ("new", "good", "exiting", "needs reconnect", "needs negotiate", "in negotiate")

_HEAD = re.compile(r"^Display Internal CIFS Data Structures for Debugging\s*$")
_SERVER = re.compile(r"^\s*\d{1,6}\) ConnectionId: 0x[0-9a-f]{1,16}(?: Hostname: (?P<server>\S{1,255}))?")
_STATUS = re.compile(r"^(?:.*\s)?TCP status: (?P<status>\d{1,3})\b")
_WIRE = re.compile(r"^(?:.*\s)?Req On Wire: (?P<wire>\d{1,9})\b")
_WAIT = re.compile(r"^\s*In Send: (?P<send>\d{1,9}) In MaxReq Wait: (?P<wait>\d{1,9})\b")
_SHARE = re.compile(r"^\s*\d{1,6}\) (?:IPC: )?(?P<share>\\\\\S{1,300}) Mounts: ")
_PENDING = re.compile(r"^\s*State: \d{1,3} com: \d{1,5} pid: \d{1,10} ")
_AWAY = re.compile(r"^.*\bDISCONNECTED\s*$")
_KNOWN = (_HEAD, _SERVER, _STATUS, _WIRE, _WAIT, _SHARE, _PENDING, _AWAY)
_OTHER = re.compile(
    r"^\s*(?:$|-{2,}\s*$|\[(?:NONE|CONNECTED)\]|\d{1,6}\)(?:\s*$|[ \t]+(?:IPC: none|Address|Name|Speed))"
    r"|CIFS|Features:|Active VFS|Servers:|ClientGUID|Number of credits|Server |Compression|RDMA|SMBDirect|MR "
    r"|Session|Address:|Security type|User:|Shares:|PathComponentMax|Share Capab|tid:|MIDs:|Extra|Channel:"
    r"|Capabilities:|IPv[46]:|Weight|Allocated channels|DFS |NOS:|SMB session|Witness|Primary channel)"
)


def _read(text: Text) -> Reading:
    """Read state and queues of each server, open requests, and shares that are disconnected."""
    reader = FactReader(text)
    server, share = "", ""
    pending: Counter[str] = Counter()
    lines: dict[str, int] = {}
    for line, entry in reader.lines():
        of = {"server": server} if server else {}
        if found := _SERVER.match(entry):
            server, share = found["server"] or "", ""
        elif found := _SHARE.match(entry):
            share = found["share"]
        elif _PENDING.match(entry):
            pending[server] += 1
            lines.setdefault(server, line)
        elif _AWAY.match(entry):
            reader.add("cifs.disconnected", 1.0, line, "count", {"share": share} if share else of)
        elif found := _WAIT.match(entry):
            reader.add("cifs.requests_waiting", float(found["wait"]), line, "count", of)
        elif (found := _STATUS.match(entry)) and int(found["status"]) < len(STATES):
            reader.add("cifs.connection", STATES[int(found["status"])], line, "", of)
        if found := _WIRE.match(entry):
            reader.add("cifs.requests_in_flight", float(found["wire"]), line, "count", of)
        if not any(one.match(entry) for one in (*_KNOWN, _OTHER)):
            reader.skips.add("not a line of the SMB client", line)
    for name, count in pending.items():
        labels = {"server": name} if name else {}
        reader.add("cifs.pending_requests", float(count), lines[name], "count", labels)
    return reader.result()


FACTS = {
    "cifs.connection": Meaning(
        "state of the connection to an SMB server: new, good, exiting, needs reconnect, needs negotiate or in"
        " negotiate",
        labels=("server",),
    ),
    "cifs.requests_in_flight": Meaning(
        "requests sent to an SMB server without an answer yet", "count", ("server",)
    ),
    "cifs.requests_waiting": Meaning(
        "tasks that may not send yet: the server allows no more requests at once", "count", ("server",)
    ),
    "cifs.pending_requests": Meaning("open requests to an SMB server", "count", ("server",)),
    "cifs.disconnected": Meaning(
        "SMB shares and sessions without a connection", "count", ("share", "server")
    ),
}
FORMAT = Lines(
    name="proc-cifs-debug-data",
    title="/proc/fs/cifs/DebugData",
    example=(
        "Display Internal CIFS Data Structures for Debugging\n"
        "---------------------------------------------------\nCIFS Version 2.46\n\nServers:\n"
        "1) ConnectionId: 0x70e Hostname: files.example.com\nTCP status: 4 Instance: 77"
    ),
    paths=("proc/fs/cifs/DebugData",),
    begins_once=True,
    first=_HEAD,
    shapes=(*_KNOWN, _OTHER),
    read=_read,
)
