"""`mdsc` of the Ceph client in debugfs: a line for each request to an MDS that is open.

Example:
    912	mds0	getattr	 #10000000412
    913	mds0	create	 #100000003e8/part-0001 (data/part-0001)

Source: mdsc_show in fs/ceph/debugfs.c; `(no request)` stands where the session is not known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_ROW = re.compile(r"^\d{1,20}\t(?:mds-?\d{1,8}|\(no request\))\t(?P<call>[a-z]\w{0,30})\t?")


def _read(text: Text) -> Reading:
    """Count the open requests; the first line is that of the oldest."""
    reader = FactReader(text)
    found = [(line, row) for line, row in reader.matching(_ROW, "not a request to an MDS")]
    if found:
        reader.add("ceph.mds.requests", float(len(found)), found[0][0], "count")
    return reader.result()


FACTS = {"ceph.mds.requests": Meaning("requests of the Ceph client to MDSs that are open", "count")}
FORMAT = Lines(
    name="ceph-mdsc",
    title="/sys/kernel/debug/ceph/CLIENT/mdsc",
    example="912\tmds0\tgetattr\t #10000000412",
    paths=("sys/kernel/debug/ceph/*/mdsc",),
    first=_ROW,
    shapes=(_ROW,),
    read=_read,
)
