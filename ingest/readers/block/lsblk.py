"""`lsblk`: block devices with size, type, state and where they are mounted.

Example:
    NAME    MAJ:MIN RM  SIZE RO TYPE  MOUNTPOINTS
    sda       8:0    0  256M  0 disk
    └─md0     9:0    0  255M  0 raid1 /mnt/data
    vda     254:0    0  256G  0 disk  /

Columns that may be empty are read only when they are the last. `-P` prints `NAME="sda" STATE="running" …`,
`-J` a document of JSON, and `-f` file systems with the space that is free and used:

    NAME  FSTYPE FSVER LABEL UUID FSAVAIL FSUSE% MOUNTPOINTS
    vda   ext4   1.0              47.6G    17% /

Source: util-linux misc-utils/lsblk.c; lsblk(8).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ingest.model.errors import MalformedInputError
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.file_system_images import is_image
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "lsblk"
VERSION = 4
TITLE = "lsblk"
EXAMPLE = "NAME MAJ:MIN RM  SIZE RO TYPE MOUNTPOINTS\nvda  254:0    0  256G  0 disk /"

PATHS: tuple[str, ...] = ("sos_commands/block/lsblk", "sos_commands/block/lsblk_-*")
COMMANDS: tuple[str, ...] = (r"lsblk(?: -[aPOfJbp]+)*(?: /dev/\S+)*",)
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
_FS_HEAD = re.compile(r"^\s*NAME +FSTYPE +(?:FSVER +)?LABEL +UUID(?: +FSAVAIL +FSUSE%)? +MOUNTPOINTS?\s*$")
_FS_ROW = re.compile(
    r"^[ |`\-│├└─]{0,400}(?P<name>[\w.+@:!-]{1,128}) [^%\n]{0,400}?(?<=\s)"
    r"(?P<free>\d+(?:[.,]\d+)?[BKMGTPE]?) +(?P<percent>\d{1,3})%(?: +(?P<mount>\S.*))?\s*$"
)
_FS_ANY = re.compile(r"^[ |`\-│├└─]{0,400}[\w.+@:!-]{1,128}(?: +\S+){0,5}\s*$")
_JSON = re.compile(r'^\s*"blockdevices"\s*:\s*\[')
_NAMED = re.compile(r'^\s*"name"\s*:\s*"([^"]{0,256})"')
_IS_JSON = re.compile(r'^\s*(?:["{}\[\]]|null)')
_FAILED = re.compile(r"^lsblk: ")
_SCALES = {"B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50, "E": 1 << 60, "": 1}

STARTS = (
    r"\s*NAME +(?:KNAME +)?MAJ:MIN",
    r"\s*NAME +FSTYPE ",
    r'.*MAJ:MIN="\d',
    Start((r"\s*\{\s*$",), near=(_JSON.pattern,), within=1),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of a table, a device in pairs, or the document is at `lines[at]`."""
    line = lines[at]
    if line.strip() == "{":
        return at + 1 < len(lines) and bool(_JSON.match(lines[at + 1]))
    return bool(_HEAD.match(line) or _FS_HEAD.match(line) or (_IS_PAIRS.match(line) and 'MAJ:MIN="' in line))


def continues(line: str) -> bool:
    """Return whether `line` is the head, a device, or a further mount point of one."""
    shapes = (_HEAD, _FS_HEAD, _ROW, _FS_ROW, _FS_ANY, _FURTHER, _IS_PAIRS, _IS_JSON, _FAILED)
    return any(shape.match(line) for shape in shapes)


def read(text: Text) -> Reading:
    """Read size, type, read-only flag and, in pairs, the state of every device; of `-f` the used space.

    Raises:
        MalformedInputError: The JSON is cut off or broken.
    """
    reader = FactReader(text)
    if text.lines and text.lines[0].strip() == "{":
        _read_json(reader, text)
        return reader.result()
    seen: set[str] = set()
    is_of_filesystems = False
    for line, entry in enumerate(text.lines, start=text.first_line):
        if _HEAD.match(entry) or _FS_HEAD.match(entry):
            is_of_filesystems = bool(_FS_HEAD.match(entry))
            continue
        if is_of_filesystems:
            _read_filesystem(reader, entry, line)
            continue
        if row := _ROW.match(entry):
            name, kind, size, read_only, state = row["name"], row["type"], row["size"], row["ro"], ""
        elif _IS_PAIRS.match(entry):
            pairs = dict(_PAIRS.findall(entry))
            name, kind, size = pairs.get("NAME", ""), pairs.get("TYPE", ""), pairs.get("SIZE", "")
            read_only, state = pairs.get("RO", ""), pairs.get("STATE", "")
        else:
            if entry.strip() and not _FURTHER.match(entry):
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


def _read_filesystem(reader: FactReader, entry: str, line: int) -> None:
    """Read a row of `-f` that states how much of a file system is used."""
    row = _FS_ROW.match(entry)
    if row is None:
        if entry.strip() and not (_FS_ANY.match(entry) or _FURTHER.match(entry)):
            reader.skips.add("not a row of lsblk", line)
        return
    labels = {"device": row["name"]} | ({"mount": row["mount"]} if row["mount"] else {})
    if not is_image(row["name"], mount=row["mount"] or ""):
        reader.add("filesystem.space_used_share", float(row["percent"]) / 100, line, "share", labels)
    free = _bytes(row["free"])
    if free is not None:
        reader.add("filesystem.available_bytes", free, line, "bytes", labels)


def _read_json(reader: FactReader, text: Text) -> None:
    """Read the document of `-J`."""
    try:
        document = json.loads("\n".join(text.lines))
        devices = list(_devices(document["blockdevices"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MalformedInputError(f"this is no whole JSON of lsblk: {error}", line=text.first_line) from None
    lines = {
        found[1]: line
        for line, entry in enumerate(text.lines, start=text.first_line)
        if (found := _NAMED.match(entry))
    }
    for name, device in devices:
        line = lines.get(name, text.first_line)
        labels = {"device": name} | ({"type": str(device["type"])} if device.get("type") else {})
        size = _bytes(str(device.get("size")))
        if size is not None:
            reader.add("block.size_bytes", size, line, "bytes", labels)
        if device.get("ro") in {True, False, "0", "1"}:
            reader.add("block.is_read_only", device["ro"] in {True, "1"}, line, labels=labels)
        if device.get("state"):
            reader.add("block.state", str(device["state"]), line, labels=labels)


def _devices(rows: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every device once by its name, those inside others included."""
    waiting, seen = list(rows), set()
    while waiting:
        device = waiting.pop(0)
        name = str(device["name"])
        if name not in seen:
            seen.add(name)
            yield name, device
        waiting += device.get("children") or []


def _bytes(printed: str) -> float | None:
    """Return a printed size in bytes, None when there is none."""
    found = re.match(r"^(\d+(?:[.,]\d+)?)([BKMGTPE]?)$", printed)
    return float(found[1].replace(",", ".")) * _SCALES[found[2]] if found else None
