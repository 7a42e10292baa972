r"""`/proc/fs/cifs/Stats`: reconnects of the SMB client since it was loaded, and failed calls of each share.

Example:
    Operations (MIDs): 0

    3 session 5 share reconnects
    Total vfs operations: 363 maximum at one time: 2

    1) \\10.0.3.4\public-share
    SMBs: 14879
    Writes: 14838 total 5624 failed

Source: cifs_stats_proc_show in fs/smb/client/cifs_debug.c, smb2_print_stats in smb2ops.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_HEAD = re.compile(r"^Resources in use\s*$")
_RECONNECTS = re.compile(r"^(?P<sessions>\d{1,15}) session (?P<shares>\d{1,15}) share reconnects\s*$")
_SHARE = re.compile(r"^\d{1,6}\) (?P<share>\\\\\S{1,300})")
_FAILED = re.compile(r"^(?P<call>[A-Z]\w{1,30}): (?P<total>\d{1,18}) total (?P<failed>\d{1,18}) failed")
_OTHER = re.compile(
    r"^(?:CIFS Session|Share \(unique|SMB Request|SMB Small|Operations|Total vfs operations"
    r"|SMBs|Bytes read|Open files|Total Large|Total Small|Max requests)\b"
)


def _read(text: Text) -> Reading:
    """Read the reconnects, and what failed of each share."""
    reader = FactReader(text)
    share = ""
    for line, entry in reader.lines():
        if found := _RECONNECTS.match(entry):
            reader.add("cifs.session_reconnects", float(found["sessions"]), line, "count")
            reader.add("cifs.share_reconnects", float(found["shares"]), line, "count")
        elif found := _SHARE.match(entry):
            share = found["share"]
        elif share and (found := _FAILED.match(entry)):
            labels = {"share": share, "call": found["call"].lower()}
            reader.add("cifs.calls", float(found["total"]), line, "count", labels)
            reader.add("cifs.failed_calls", float(found["failed"]), line, "count", labels)
        elif not _HEAD.match(entry) and not _OTHER.match(entry):
            reader.skips.add("not a counter of the SMB client", line)
    return reader.result()


FACTS = {
    "cifs.session_reconnects": Meaning(
        "sessions that the SMB client made again since it was loaded", "count"
    ),
    "cifs.share_reconnects": Meaning(
        "shares that the SMB client connected again since it was loaded", "count"
    ),
    "cifs.calls": Meaning(
        "calls of one kind to an SMB share since it was mounted", "count", ("share", "call")
    ),
    "cifs.failed_calls": Meaning("those of them that failed", "count", ("share", "call")),
}
FORMAT = Lines(
    name="proc-cifs-stats",
    title="/proc/fs/cifs/Stats",
    example="Resources in use\nCIFS Session: 1\n\n3 session 5 share reconnects",
    paths=("proc/fs/cifs/Stats",),
    begins_once=True,
    first=_HEAD,
    shapes=(_HEAD, _RECONNECTS, _SHARE, _FAILED, _OTHER),
    read=_read,
)
