"""`df`: size and use of each mounted file system, in blocks, readable sizes or inodes.

Examples:
    Filesystem     Type 1K-blocks     Used Available Use% Mounted on
    /dev/vda       ext4 263112772 71868688  23456789  76% /
    Filesystem      Size  Used Avail Use% Mounted on
    Filesystem       Inodes   IUsed    IFree IUse% Mounted on

Read-only images (snaps, discs) are full and no trouble: they are left out.
A device name that is wider than its column stands on a line of its own in releases before coreutils 8.6.
Source: field_data in coreutils src/df.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.file_system_images import is_image

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "df"
VERSION = 3
TITLE = "df"
EXAMPLE = (
    "Filesystem     1K-blocks      Used Available Use% Mounted on\n"
    "/dev/vda       263112772  71868688  23456789  76% /"
)

PATHS: tuple[str, ...] = ("sos_commands/filesys/df*",)
COMMANDS: tuple[str, ...] = (r"df(?: -\S+)*(?: [./]\S*)*",)
HINTS: tuple[str, ...] = ()

_SCALES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50}
_UNITS = r"(?P<size_unit>\d*[KMG]?B?)-blocks|Size|Inodes"
_HEAD = re.compile(
    rf"^\s*Filesystem\s+(?P<type>Type\s+)?(?P<unit>{_UNITS})\s+I?Used\s+(?:Avail(?:able)?|IFree)\s+"
    r"(?:I?Use%|Capacity)\s+Mounted on\s*$"
)
_NUMBER = r"(?:\d+(?:\.\d+)?[KMGTP]?|-)"
_VALUES = (
    rf"(?P<size>{_NUMBER})\s+(?P<used>{_NUMBER})\s+(?P<free>-?{_NUMBER})\s+"
    r"(?P<percent>\d{1,3}%|-)\s+(?P<mount>/.*?)\s*$"
)
_ROW = Pattern(rf"^\s*(?P<device>\S.*?)\s+{_VALUES}")
_WRAPPED = Pattern(rf"^\s+(?:(?P<device>[a-z][\w.-]*)\s+)?{_VALUES}")
_DEVICE = re.compile(r"^[^\s:]\S*$")
_UNREADABLE = re.compile(r"^df: ")


STARTS = (r"\s*Filesystem\s",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of df is at `lines[at]`."""
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a head, a row, or the device of a row that is wrapped."""
    return bool(_HEAD.match(line) or _ROW.match(line) or (line.startswith("/dev/") and _DEVICE.match(line)))


def read(text: Text) -> Reading:
    """Read the used share of space or of inodes, and the sizes in bytes where their unit is printed."""
    reader = FactReader(text)
    scale: float | None = None
    is_of_inodes = has_type = False
    wrapped = ""
    for line, entry in enumerate(text.lines, start=text.first_line):
        if head := _HEAD.match(entry):
            is_of_inodes = head["unit"] == "Inodes"
            scale = _block_bytes(head["size_unit"])
            has_type = bool(head["type"])
            continue
        if not entry.strip():
            continue
        row = _WRAPPED.match(entry) if wrapped else _ROW.match(entry)
        if row is None:
            if _DEVICE.match(entry):
                wrapped = entry
            else:
                reason = "df could not read it" if _UNREADABLE.match(entry) else "not a row of df"
                reader.skips.add(reason, line)
            continue
        device, filesystem = _device(wrapped, row["device"], has_type=has_type)
        wrapped = ""
        labels = {"mount": row["mount"], "device": device} | ({"type": filesystem} if filesystem else {})
        if row["percent"] == "-":
            continue
        if is_image(device, filesystem, row["mount"]):
            reader.skips.add("a read-only image, which is full from the day it is made", line)
            continue
        kind = "inodes" if is_of_inodes else "space"
        share = float(row["percent"].removesuffix("%")) / 100
        reader.add(f"filesystem.{kind}_used_share", share, line, "share", labels)
        if is_of_inodes:
            continue
        for name, key in (("size", "size"), ("available", "free")):
            size = _size(row[key], scale)
            if size is not None:
                reader.add(f"filesystem.{name}_bytes", size, line, "bytes", labels)
    return reader.result()


def _device(wrapped: str, before: str | None, *, has_type: bool) -> tuple[str, str]:
    """Return the device and the type of a row whose words before the numbers are `before`."""
    words = " ".join(part for part in (wrapped.strip(), before or "") if part)
    if not has_type:
        return words, ""
    device, _, filesystem = words.rpartition(" ")
    return (device.strip(), filesystem) if device else (words, "")


def _block_bytes(unit: str | None) -> float | None:
    """Return the bytes of one block: `1K`, `512`, `1M`; None when sizes state their own unit."""
    found = re.match(r"^(\d*)([KMG]?)B?$", unit or "")
    if unit is None or not found:
        return None
    return float(found[1] or 1) * _SCALES[found[2]]


def _size(printed: str, scale: float | None) -> float | None:
    """Return a size in bytes, None when none is printed."""
    if printed in {"-", "--"}:
        return None
    if scale is not None:
        return float(printed) * scale if printed[-1].isdigit() else None
    unit = printed[-1] if printed[-1].isalpha() else ""
    return float(printed.removesuffix(unit)) * _SCALES[unit]
