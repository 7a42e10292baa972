"""`lsblk`: block devices with size, type, state and where they are mounted.

Example:
    NAME    MAJ:MIN RM  SIZE RO TYPE  MOUNTPOINTS
    sda       8:0    0  256M  0 disk
    └─md0     9:0    0  255M  0 raid1 /mnt/data
    vda     254:0    0  256G  0 disk  /

Columns that may be empty are read only when they are the last. `-P` prints `NAME="sda" STATE="running" …`.
Source: util-linux misc-utils/lsblk.c; lsblk(8).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "lsblk"
VERSION = 1
TITLE = "lsblk"
EXAMPLE = "NAME MAJ:MIN RM  SIZE RO TYPE MOUNTPOINTS\nvda  254:0    0  256G  0 disk /"

PATHS: tuple[str, ...] = ("sos_commands/block/lsblk", "sos_commands/block/lsblk_-O_-P")
COMMANDS: tuple[str, ...] = (r"lsblk(?: -[aPO]+)*(?: /dev/\S+)*",)
HINTS: tuple[str, ...] = ()

_HEAD = re.compile(r"^\s*NAME(?: +KNAME)? +MAJ:MIN +RM +SIZE +RO +TYPE(?: +MOUNTPOINTS?)?\s*$")
_ROW = re.compile(
    r"^(?P<tree>[ |`\-│├└─]*)(?P<name>[\w.+@:!-]{1,128})(?: +[\w.+@:!-]{1,128})? +"
    r"(?P<number>\d+:\d+) +(?P<rm>[01]) +"
    r"(?P<size>\d+(?:[.,]\d+)?[BKMGTPE]?) +(?P<ro>[01]) +(?P<type>[a-z][\w-]{1,15})(?: +(?P<mount>\S.*))?\s*$"
)
_FURTHER = re.compile(r"^(?=[ |`\-│├└─]{20})[ |`\-│├└─]{1,400}/\S{0,4096}\s{0,9}$")
_PAIRS = re.compile(r'(?<![A-Z:-])([A-Z][A-Z:-]{0,40})="([^"]{0,4096})"')
_IS_PAIRS = re.compile(r'^\s{0,20}[A-Z][A-Z:-]{0,40}="[^"]{0,4096}" [A-Z][A-Z:-]{0,40}="')
_FAILED = re.compile(r"^lsblk: ")
_SCALES = {"B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50, "E": 1 << 60, "": 1}

STARTS = (r"\s*NAME +(?:KNAME +)?MAJ:MIN", r'.*MAJ:MIN="\d')


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of the default columns, or a device in pairs, is at `lines[at]`."""
    return bool(_HEAD.match(lines[at]) or (_IS_PAIRS.match(lines[at]) and 'MAJ:MIN="' in lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is the head, a device, or a further mount point of one."""
    return any(shape.match(line) for shape in (_HEAD, _ROW, _FURTHER, _IS_PAIRS, _FAILED))


def read(text: Text) -> Reading:
    """Read size, type, read-only flag and, in pairs, the state of every device."""
    reader = FactReader(text)
    seen: set[str] = set()
    for line, entry in enumerate(text.lines, start=text.first_line):
        if row := _ROW.match(entry):
            name, kind, size, read_only, state = row["name"], row["type"], row["size"], row["ro"], ""
        elif _IS_PAIRS.match(entry):
            pairs = dict(_PAIRS.findall(entry))
            name, kind, size = pairs.get("NAME", ""), pairs.get("TYPE", ""), pairs.get("SIZE", "")
            read_only, state = pairs.get("RO", ""), pairs.get("STATE", "")
        else:
            if entry.strip() and not _HEAD.match(entry) and not _FURTHER.match(entry):
                reader.skips.add(
                    "lsblk could not read it" if _FAILED.match(entry) else "not a row of lsblk", line
                )
            continue
        if not name or name in seen:
            continue
        seen.add(name)
        labels = {"device": name} | ({"type": kind} if kind else {})
        value = _bytes(size)
        if value is not None:
            reader.add("block.size_bytes", value, line, "bytes", labels)
        if read_only in {"0", "1"}:
            reader.add("block.is_read_only", read_only == "1", line, labels=labels)
        if state:
            reader.add("block.state", state, line, labels=labels)
    return reader.result()


def _bytes(printed: str) -> float | None:
    """Return a printed size in bytes, None when there is none."""
    found = re.match(r"^(\d+(?:[.,]\d+)?)([BKMGTPE]?)$", printed)
    return float(found[1].replace(",", ".")) * _SCALES[found[2]] if found else None
