"""`/sys/fs/fuse/connections/N/waiting`: requests that a FUSE server has not answered, as `grep .` prints it.

Example:
    /sys/fs/fuse/connections/38/waiting:12

Without activity in the file system, a number above 0 means that it hangs.
Source: Documentation/filesystems/fuse.rst.
"""

from __future__ import annotations

import re

from ingest.parsing.shapes import Column, Meaning, Table

_NAMED = re.compile(r"^/sys/fs/fuse/connections/\d{1,10}/waiting:\d")
_ROW = re.compile(
    r"^(?:/?sys/fs/fuse/connections/(?P<connection>\d{1,10})/waiting:)?\s{0,4}(?P<waiting>\d{1,15})\s*$"
)


def _connection(path: str) -> dict[str, str]:
    """Return the number of the connection in a captured path; the rows of `grep .` state their own."""
    found = re.search(r"fuse/connections/(?P<connection>\d{1,10})/", path)
    return {"connection": found["connection"]} if found else {}


FACTS = {
    "fuse.waiting": Meaning(
        "requests that wait to be sent to a FUSE server or that it is working on", "count", ("connection",)
    ),
}
FORMAT = Table(
    name="fuse-waiting",
    title="/sys/fs/fuse/connections/N/waiting",
    example="/sys/fs/fuse/connections/38/waiting:12",
    paths=("sys/fs/fuse/connections/*/waiting",),
    first=_NAMED,
    row=_ROW,
    columns={"waiting": Column("fuse.waiting", "count")},
    labels=("connection",),
    labels_of_path=_connection,
    skipped="not a number of requests",
)
