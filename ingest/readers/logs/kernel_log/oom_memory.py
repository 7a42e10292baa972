"""Who holds the memory of the machine, from the Mem-Info part of a global out-of-memory report.

Examples:
    active_anon:132 inactive_anon:86021 isolated_anon:0
     slab_reclaimable:2101 slab_unreclaimable:5160
     mapped:17 shmem:4 pagetables:411
    102286 pages RAM
    Free swap  = 0kB
    Total swap = 0kB

Lines of one node repeat the counters in kB and begin with `Node`. Shares are of the pages of RAM.

Source: mm/show_mem.c __show_mem (lib/show_mem.c and mm/page_alloc.c show_free_areas to 6.3), mm/swap_state.c
show_swap_cache_info.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.reading import Cell

_COUNTER = re.compile(r"\b(active_anon|inactive_anon|slab_unreclaimable|shmem):(\d+)(?!\d|kB)")
_RAM = re.compile(r"^(\d+) pages RAM\b")
_SWAP = re.compile(r"^(Free|Total) swap\s*= (\d+)kB")


_CMA = re.compile(r"^\s*free:(\d{1,15}) .*\bfree_cma:(\d{1,15})(?!\d|kB)")
_ZONE = re.compile(r"^Node \d+ \w+ free:(\d{1,18})kB .*?\bmin:\d+kB low:\d+kB high:(\d{1,18})kB")


def fields(known: Mapping[str, Cell], text: str) -> dict[str, Cell]:
    """Return what a line adds: pages, and their shares once the size of the machine is known."""
    if found := _SWAP.match(text):
        return {f"{found[1].lower()}_swap_kb": float(found[2])}
    if found := _RAM.match(text):
        return _shares(known, float(found[1]))
    if text.startswith("Node "):
        return _zones(known, text)
    return {f"{name}_pages": float(pages) for name, pages in _COUNTER.findall(text)}


def cma_share(text: str) -> dict[str, Cell]:
    """Return the share of free pages that are of areas for contiguous memory, of the line of counters."""
    found = _CMA.match(text)
    return {"free_cma_share": float(found[2]) / float(found[1])} if found and int(found[1]) else {}


def _zones(known: Mapping[str, Cell], text: str) -> dict[str, Cell]:
    """Return the sums of free memory and of high watermarks with those of one more zone."""
    if not (found := _ZONE.match(text)):
        return {}
    before = (known.get("zones_free_kb"), known.get("zones_high_kb"))
    free, high = (one if isinstance(one, float) else 0.0 for one in before)
    return {"zones_free_kb": free + float(found[1]), "zones_high_kb": high + float(found[2])}


def _shares(known: Mapping[str, Cell], ram: float) -> dict[str, Cell]:
    """Return the shares of RAM of the counters that the report has."""
    if not ram:
        return {}
    pages = {name: value for name, value in known.items() if isinstance(value, float)}
    shares: dict[str, Cell] = {
        f"{name}_share": pages[f"{name}_pages"] / ram
        for name in ("slab_unreclaimable", "shmem")
        if f"{name}_pages" in pages
    }
    anonymous = [pages[name] for name in ("active_anon_pages", "inactive_anon_pages") if name in pages]
    return shares | ({"anonymous_share": sum(anonymous) / ram} if anonymous else {})
