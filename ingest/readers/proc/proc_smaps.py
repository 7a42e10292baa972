"""`/proc/PID/smaps`: sizes of every mapping; their sums are what `smaps_rollup` gives.

Example:
    55bb83a9f000-55bb83aa0000 r--p 00000000 fe:00 9977953                    /srv/app/rss_drift
    Size:                  4 kB
    Rss:                   4 kB

A file that was cut short gives sums that are too small, so a cut file gives none.
Source: proc(5), "/proc/pid/smaps"; show_smap in fs/proc/task_mmu.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader, pid_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "proc-smaps"
VERSION = 1
TITLE = "/proc/PID/smaps"
EXAMPLE = (
    "55bb83a9f000-55bb83aa0000 r--p 00000000 fe:00 9977953                    /srv/app/rss_drift\n"
    "Size:                  4 kB\nKernelPageSize:        4 kB\nRss:                   4 kB"
)

PATHS: tuple[str, ...] = ("proc/*/smaps",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_MAPPING = re.compile(r"^[0-9a-f]{6,16}-[0-9a-f]{6,16} [r-][w-][x-][ps] [0-9a-f]+ [0-9a-f]+:[0-9a-f]+ \d+")
_SIZE = re.compile(r"^(?P<key>[A-Z]\w*):\s+(?P<kib>\d+) kB\s*$")
_OTHER = re.compile(r"^(?:VmFlags|THPeligible|ProtectionKey):")
SUMMED = frozenset(
    ("Rss", "Pss", "Anonymous", "Swap", "AnonHugePages", "Private_Dirty", "Shared_Clean", "Locked")
)
LAST = "vsyscall"


STARTS = (r"[0-9a-f]{6,16}-[0-9a-f]{6,16} ",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: a mapping, then its size."""
    following = lines[at + 1] if at + 1 < len(lines) else ""
    return bool(_MAPPING.match(lines[at])) and following.startswith("Size:")


def continues(line: str) -> bool:
    """Return whether `line` is a mapping or one of its entries."""
    return bool(_MAPPING.match(line) or _SIZE.match(line) or _OTHER.match(line))


def read(text: Text) -> Reading:
    """Read the sums over all mappings, when the last mapping is there."""
    reader = FactReader(text)
    sums: dict[str, float] = {}
    mappings = 0
    last = ""
    for line, entry in enumerate(text.lines, start=text.first_line):
        if _MAPPING.match(entry):
            mappings += 1
            last = entry
        elif size := _SIZE.match(entry):
            if size["key"] in SUMMED:
                sums[size["key"]] = sums.get(size["key"], 0.0) + float(size["kib"]) * BYTES_PER_KIB
        elif entry.strip() and not _OTHER.match(entry):
            reader.skips.add("not an entry of a mapping", line)
    end = text.first_line + max(len(text.lines), 1) - 1
    if mappings and LAST not in last:
        reader.remark("cut_off", "the last mapping ([vsyscall]) is missing: sums would be too small", end)
        sums = {}
    whole = reader.result()
    lines, labels = Lines(text.first_line, end), pid_labels(text.path)
    facts = [Fact("process.smaps.mappings", float(mappings), lines, "count", labels)] if mappings else []
    facts += [
        Fact(f"process.smaps.{key.lower()}_bytes", sums[key], lines, "bytes", labels) for key in sorted(sums)
    ]
    return Reading(facts=tuple(facts), skipped=whole.skipped, quality=whole.quality)
