"""`io.stat` of cgroup v2: bytes and requests of a group by device.

Example:
    254:0 rbytes=90112 wbytes=299008000 rios=15 wios=8950 dbytes=50331648 dios=3021

Source: Documentation/admin-guide/cgroup-v2.rst, "io.stat".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "cgroup-io-stat"
VERSION = 1
TITLE = "Cgroup: io.stat"
EXAMPLE = "254:0 rbytes=90112 wbytes=299008000 rios=15 wios=8950 dbytes=50331648 dios=3021"

PATHS: tuple[str, ...] = ("io.stat",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

NAMES = {
    "rbytes": ("cgroup.io.read_bytes", "bytes"),
    "wbytes": ("cgroup.io.written_bytes", "bytes"),
    "dbytes": ("cgroup.io.discarded_bytes", "bytes"),
    "rios": ("cgroup.io.reads", "count"),
    "wios": ("cgroup.io.writes", "count"),
    "dios": ("cgroup.io.discards", "count"),
}
_ROW = re.compile(r"^(?P<device>\d{1,4}:\d{1,8})(?P<pairs>(?: [a-z.]+=\d+)+)\s*$")


STARTS = (r"\d+:\d+ .*rbytes=",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`."""
    return bool(_ROW.match(lines[at])) and " rbytes=" in lines[at]


def continues(line: str) -> bool:
    """Return whether `line` is a device."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read bytes and requests of every device."""
    reader = FactReader(text)
    group = cgroup_labels(text.path)
    for line, row in reader.matching(_ROW, "not a device of io.stat"):
        for key, _, value in (pair.partition("=") for pair in row["pairs"].split()):
            if key in NAMES:
                name, unit = NAMES[key]
                reader.add(name, float(value), line, unit, {**group, "device": row["device"]})
            else:
                reader.skips.add(f"{key} of io.stat is of a controller that is not read", line)
    return reader.result()
