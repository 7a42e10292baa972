"""`/etc/os-release`: the distribution.

Example:
    PRETTY_NAME="Container-Optimized OS from Google"
    ID=cos
    VERSION_ID=105

Source: os-release(5).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "os-release"
VERSION = 1
TITLE = "/etc/os-release"
EXAMPLE = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian'

PATHS: tuple[str, ...] = ("etc/os-release", "usr/lib/os-release", "etc/lsb-release")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("os-release*", "etc_os-release*", "os_release*")

FACTS = {
    "ID": "os.id",
    "ID_LIKE": "os.id_like",
    "VERSION_ID": "os.version_id",
    "PRETTY_NAME": "os.pretty_name",
    "BUILD_ID": "os.build_id",
}
_ENTRY = re.compile(r"^\s*(?P<key>[A-Z][A-Z0-9_]*)=(?P<quote>[\"']?)(?P<value>.*)(?P=quote)\s*$")
LOOK_AHEAD = 12


STARTS = (Start((r"\s*[A-Z][A-Z0-9_]*=",), near=(r"\s*ID=",), within=LOOK_AHEAD),)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: shell variables with `ID=` and a name among them."""
    if not _ENTRY.match(lines[at]):
        return False
    keys: set[str] = set()
    for line in lines[at : at + LOOK_AHEAD]:
        found = _ENTRY.match(line)
        if not found:
            break
        keys.add(found["key"])
    return "ID" in keys and bool(keys & {"PRETTY_NAME", "VERSION_ID"})


def continues(line: str) -> bool:
    """Return whether `line` is an entry."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read what names the distribution."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        found = _ENTRY.match(entry)
        if not found:
            reader.skips.add("not `KEY=value`", line)
        elif found["key"] in FACTS and found["value"]:
            reader.add(FACTS[found["key"]], found["value"], line)
    return reader.result()
