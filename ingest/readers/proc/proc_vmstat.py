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
from ingest.parsing.protocols import Start

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


_TELLING = re.compile(
    r"^\s*(?:allocstall_|pgscan_|pgsteal_|pgmajfault|compact_|workingset_|pswp(?:in|out)|nr_dirty|nr_writeback|"
    r"nr_slab_|thp_|oom_kill|kswapd_)\w* \d+\s*$"
)
"""Counters by which a piece of the file is recognised; two tell."""

_ALONE = re.compile(r"^\s*zone_reclaim_(?:failed|success):? +\d+\s*$")
"""A counter whose name nothing else has, also as prose writes it."""

STARTS = (
    _ALONE.pattern,
    r"\s*nr_free_pages ",
    Start((_TELLING.pattern,), near=(_TELLING.pattern,), within=2),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`, by its first 20 entries, or a piece of it."""
    if _ALONE.match(lines[at]):
        return True
    if _TELLING.match(lines[at]):
        return any(_TELLING.match(line) for line in lines[at + 1 : at + 3])
    if not lines[at].lstrip().startswith("nr_free_pages "):
        return False
    following = lines[at : at + MIN_LINES]
    return len(following) == MIN_LINES and all(_ENTRY.match(line) for line in following)


def continues(line: str) -> bool:
    """Return whether `line` is an entry."""
    return bool(_ENTRY.match(line) or _ALONE.match(line))


def read(text: Text) -> Reading:
    """Read every counter; a repeated one is the next snapshot."""
    reader = FactReader(text)
    for line, key, value in reader.numbers():
        reader.add(f"vmstat.{key.rstrip(':')}", value, line, "count")
    return reader.result()
