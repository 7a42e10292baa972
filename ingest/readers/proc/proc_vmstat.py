"""`/proc/vmstat`: counters of the memory subsystem since boot, and gauges in pages.

Example:
    nr_free_pages 493925
    pgscan_direct 3021
    zone_reclaim_failed 0

Source: vmstat_text in mm/vmstat.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-vmstat"
VERSION = 1
TITLE = "/proc/vmstat"
EXAMPLE = "nr_free_pages 493925\npgscan_direct 3021\npgsteal_direct 2800"

PATHS: tuple[str, ...] = ("proc/vmstat",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_vmstat*", "vmstat_proc*")
BEGINS_ONCE = True

_ENTRY = re.compile(r"^\s*[a-z][a-z0-9_]+ \d+\s*$")
MIN_LINES = 20


STARTS = (r"\s*nr_free_pages ",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: `nr_free_pages`, then 20 entries of its shape."""
    if not lines[at].lstrip().startswith("nr_free_pages "):
        return False
    following = lines[at : at + MIN_LINES]
    return len(following) == MIN_LINES and all(_ENTRY.match(line) for line in following)


def continues(line: str) -> bool:
    """Return whether `line` is an entry."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read every counter; a repeated one is the next snapshot."""
    reader = FactReader(text)
    for line, key, value in reader.numbers():
        reader.add(f"vmstat.{key}", value, line, "count")
    return reader.result()
