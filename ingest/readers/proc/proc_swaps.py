"""`/proc/swaps`, `swapon -s` and `swapon --show`: the areas of swap, and what is used of them.

Examples:
    Filename                                Type            Size            Used            Priority
    /dev/dm-1                               partition       4194300         4193896         -2

    NAME      TYPE      SIZE USED PRIO
    /dev/dm-1 partition   4G 3.9G   -2

Kept are the sums of all areas. Without an option the unit is KiB.
Source: swap_show in mm/swapfile.c; util-linux swapon.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-swaps"
VERSION = 1
TITLE = "/proc/swaps"
EXAMPLE = (
    "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
    "/dev/dm-1                               partition\t4194300\t\t4193896\t\t-2"
)

PATHS: tuple[str, ...] = ("proc/swaps",)
COMMANDS: tuple[str, ...] = (r"swapon(?: -s| --summary| --show\S*| --bytes)*",)
HINTS: tuple[str, ...] = ()

_SIZE = r"\d{1,15}(?:[.,]\d{1,2})?[BKMGTP]?"
_HEAD = re.compile(r"^(?:Filename\s+Type\s+Size\s+Used\s+Priority|NAME\s+TYPE\s+SIZE\s+USED\s+PRIO)\s*$")
_ROW = re.compile(
    rf"^\S.{{0,200}}?\s+(?:partition|file|swapfile)\s+(?P<size>{_SIZE})\s+(?P<used>{_SIZE})\s+-?\d{{1,6}}\s*$"
)
_FACTORS = {"B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50}

STARTS = (_HEAD.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of the table is at `lines[at]`."""
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is the head or an area."""
    return bool(_HEAD.match(line) or _ROW.match(line))


def read(text: Text) -> Reading:
    """Read the size and the use of all areas together."""
    reader = FactReader(text)
    size = used = 0.0
    last = 0
    is_in_kib = True
    for line, entry in reader.lines():
        if _HEAD.match(entry):
            is_in_kib = entry.startswith("Filename")
        elif row := _ROW.match(entry):
            size += _bytes(row["size"], is_in_kib=is_in_kib)
            used += _bytes(row["used"], is_in_kib=is_in_kib)
            last = line
        else:
            reader.skips.add("not an area of swap", line)
    if last:
        reader.add("free.swap.total_bytes", size, last, "bytes")
        reader.add("free.swap.used_bytes", used, last, "bytes")
    return reader.result()


def _bytes(printed: str, *, is_in_kib: bool) -> float:
    if printed[-1].isalpha():
        return float(printed[:-1].replace(",", ".")) * _FACTORS[printed[-1]]
    return float(printed) * (BYTES_PER_KIB if is_in_kib else 1)
