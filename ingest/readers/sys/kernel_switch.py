"""Switches and counts of the kernel below `/sys`: multi-generational LRU, huge pages, CPUs, nodes.

Examples:
    0x0007                        sys/kernel/mm/lru_gen/enabled: bit 0 is the main switch
    always [madvise] never        sys/kernel/mm/transparent_hugepage/enabled
    0-3,8                         sys/devices/system/cpu/online

Sources: Documentation/admin-guide/mm/multigen_lru.rst, transhuge.rst.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "kernel-switch"
VERSION = 1
TITLE = "Kernel switch"
EXAMPLE = "0x0007"

PATHS: tuple[str, ...] = (
    "mm/lru_gen/enabled",
    "mm/transparent_hugepage/enabled",
    "mm/transparent_hugepage/defrag",
    "system/cpu/online",
    "system/cpu/possible",
    "system/node/online",
)
COMMANDS: tuple[str, ...] = (r"nproc(?: --all)?", r"getconf (?:PAGE_?SIZE)")
HINTS: tuple[str, ...] = ("lru_gen_enabled*", "transparent_hugepage_enabled*", "thp_enabled*", "nproc*")

_HEX = re.compile(r"^(?:0x)?[0-9a-fA-F]{1,8}$")
_CHOSEN = re.compile(r"\[(?P<chosen>[\w+-]+)\]")
_RANGES = re.compile(r"^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$")


def _count(ranges: str) -> float:
    """Return how many numbers `0-3,8` names."""
    total = 0
    for part in ranges.split(","):
        low, _, high = part.partition("-")
        total += int(high or low) - int(low) + 1
    return float(total)


def _which(text: Text) -> str:
    """Return what the path, command or hint speaks of."""
    source = f"{text.path or text.filename} {text.command}"
    for part in ("lru_gen", "thp", "transparent_hugepage", "possible", "node", "nproc", "getconf"):
        if part in source:
            return {"thp": "transparent_hugepage"}.get(part, part)
    return "online"


def read(text: Text) -> Reading:
    """Read the one value."""
    reader = FactReader(text)
    which = _which(text)
    for line, value in reader.lines():
        chosen = _CHOSEN.search(value)
        if which == "lru_gen" and _HEX.match(value):
            reader.add("mm.lru_gen.enabled", bool(int(value, 16) & 1), line)
        elif which == "lru_gen" and value in {"y", "Y", "n", "N"}:
            reader.add("mm.lru_gen.enabled", value in {"y", "Y"}, line)
        elif which == "transparent_hugepage" and chosen:
            file = "defrag" if "defrag" in text.path else "enabled"
            reader.add(f"mm.thp.{file}", chosen["chosen"], line)
        elif which in {"online", "possible", "node"} and _RANGES.match(value):
            name = {"node": "numa.nodes"}.get(which, f"cpu.{which}")
            reader.add(name, _count(value), line, "count")
        elif which == "nproc" and value.isdecimal():
            name = "cpu.possible" if "--all" in text.command else "cpu.online"
            reader.add(name, float(value), line, "count")
        elif which == "getconf" and value.isdecimal():
            reader.add("page_size_bytes", float(value), line, "bytes")
        else:
            reader.skips.add("not a value of this switch", line)
    return reader.result()
