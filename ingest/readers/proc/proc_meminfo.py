"""`/proc/meminfo`: sizes of the whole machine.

Example:
    MemTotal:        2472784 kB
    Active(anon):     150004 kB
    HugePages_Total:       0

Some of its lines are enough, also quoted with `>`: two in a row whose names no other file of /proc has.

Source: meminfo_proc_show in fs/proc/meminfo.c; `kB` is 1024 bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-meminfo"
VERSION = 2
TITLE = "/proc/meminfo"
EXAMPLE = "MemTotal:        2472784 kB\nMemFree:         1979600 kB\nHugePages_Total:       0"

PATHS: tuple[str, ...] = ("proc/meminfo",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_meminfo*", "meminfo*")
BEGINS_ONCE = True

_ENTRY = re.compile(r"^\s*(?:>\s?)?(?P<key>[A-Z][\w()]*):\s+(?P<value>\d{1,20})(?:(?P<unit> kB)\b|(?=\s|$))")
_OWN = (
    r"\s*(?:>\s?)?(?:MemFree|MemAvailable|Buffers|Cached|SwapCached|SwapTotal|SwapFree|Writeback|AnonPages|Mapped|Shmem"
    r"|KReclaimable|Slab|SReclaimable|SUnreclaim|KernelStack|PageTables|CommitLimit|Committed_AS|VmallocUsed|Percpu)"
    r":\s+\d{1,20} kB"
)
_OWN_ENTRY = re.compile(_OWN)

STARTS = (r"\s*(?:>\s?)?MemTotal:", _OWN)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: `MemTotal:` then `MemFree:`; or a piece of it."""
    first = lines[at].lstrip("> \t")
    if _OWN_ENTRY.match(lines[at]):
        return at + 1 < len(lines) and bool(_OWN_ENTRY.match(lines[at + 1]))
    if not first.startswith("MemTotal:") or not _ENTRY.match(lines[at]):
        return False
    return any(
        line.lstrip("> \t").startswith(("MemFree:", "MemAvailable:")) for line in lines[at + 1 : at + 4]
    )


def continues(line: str) -> bool:
    """Return whether `line` is an entry."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read every entry; `Active(anon)` becomes `active_anon`."""
    reader = FactReader(text)
    for line, found in reader.matching(_ENTRY, "not `Key: number kB`"):
        key = found["key"].lower().replace("(", "_").replace(")", "")
        if found["unit"]:
            reader.add(f"meminfo.{key}_bytes", float(found["value"]) * BYTES_PER_KIB, line, "bytes")
        else:
            reader.add(f"meminfo.{key}", float(found["value"]), line, "count")
    return reader.result()
