"""`osdc` of the Ceph client in debugfs: requests to OSDs that are open, and those that no OSD serves.

Example:
    REQUESTS 3 homeless 2
    18	osd4	2.7e0b3c1f	2.1f	[4,1,7]/4	[4,1,7]/4	e9121	100000004…	0x400024	1	write
    LINGER REQUESTS
    BACKOFFS

Source: osdc_show in net/ceph/debugfs.c; a request is *homeless* while its placement group has no primary OSD.
"""

from __future__ import annotations

import re

from ingest.parsing.shapes import Column, Meaning, Table

_ROW = re.compile(r"^REQUESTS (?P<requests>\d{1,12}) homeless (?P<homeless>\d{1,12})\s*$")
_OTHER = re.compile(r"^(?:LINGER REQUESTS|BACKOFFS)\s*$|^\d{1,20}\tosd-?\d|^osd\d{1,8}\t")

FACTS = {
    "ceph.osd.requests": Meaning("requests of the Ceph client to OSDs that are open", "count"),
    "ceph.osd.homeless_requests": Meaning("those of them that no OSD serves", "count"),
}
FORMAT = Table(
    name="ceph-osdc",
    title="/sys/kernel/debug/ceph/CLIENT/osdc",
    example="REQUESTS 3 homeless 2\nLINGER REQUESTS\nBACKOFFS",
    paths=("sys/kernel/debug/ceph/*/osdc",),
    first=_ROW,
    head=_OTHER,
    row=_ROW,
    columns={
        "requests": Column("ceph.osd.requests", "count"),
        "homeless": Column("ceph.osd.homeless_requests", "count"),
    },
    skipped="not a request to an OSD",
)
