"""A failed allocation of pages: how much it asked for in one piece, for whom, and what it might not take.

refused(log_class, record)  ->  "page allocation failure: order 10 (4 MiB in one piece, …), asked for by …"
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.kernel_log.deciding_fields import beside
from signatures.overview.kernel_log.score import factors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.catalogue.log_classes.model import LogClass
    from ingest.model.reading import Cell, LogRecord

PAGE_KIB = 4
MIB_KIB = 1024
MOST_ORDER = 32
_ORDER = re.compile(r"default order: ([12]?\d|3[01]),")
_SLABS = re.compile(r"slabs: (\d{1,12}), objs: \d+, free: (\d{1,12})")
MAY_WAIT = 0x10
"""__GFP_WAIT of include/linux/gfp.h, up to 4.3."""


def refused(log_class: LogClass, record: LogRecord) -> str:
    """Return how much a failed allocation asked for in one piece, and for whom; "" for other classes."""
    order, fields = record.fields.get("order"), record.fields
    if (
        log_class.name != "page_allocation_failure"
        or not isinstance(order, float)
        or not 0 <= order < MOST_ORDER
    ):
        return ""
    kib = PAGE_KIB << int(order)
    size = f"{kib:,} KiB" if kib < MIB_KIB else f"{kib // MIB_KIB:,} MiB"
    what = f"order {order:.0f} ({size} in one piece, of pages of 4 KiB)" if order else "order 0 (one page)"
    waits = ", atomic" if _is_atomic(str(fields.get("gfp_mask") or "")) else ""
    by = f", asked for by {fields['comm']}" if fields.get("comm") else ""
    return f"page allocation failure: {what}{waits}{by}{_cma(fields)}"


def slab_in_use(record: LogRecord, near: Sequence[LogRecord]) -> str:
    """Return what a slab cache that got no more holds, by the lines below; "" for other classes."""
    if record.kind != "slab_allocation_failure":
        return ""
    below = "\n".join(one.message for one in beside(record, near) if one.lines.first > record.lines.last)
    order, slabs = _ORDER.search(below), _SLABS.search(below)
    if not order or not slabs:
        return ""
    size = value_words(float((PAGE_KIB << int(order[1])) * MIB_KIB * int(slabs[1])), "bytes")
    free = "none" if int(slabs[2]) == 0 else f"{int(slabs[2]):,}"
    held = f"{int(slabs[1]):,} slabs of order {order[1]} hold {size} (of pages of 4 KiB)"
    return f"; {held}, {free} of its objects free"


def _cma(fields: Mapping[str, Cell]) -> str:
    """Return that most free memory is of CMA, which only allocations of movable pages may take."""
    share, mask = fields.get("free_cma_share"), str(fields.get("gfp_mask") or "")
    if not isinstance(share, float) or share < factors().free_cma or "MOVABLE" in mask:
        return ""
    return f"; {share:.0%} of the free memory is CMA, which it may not take"


def _is_atomic(mask: str) -> bool:
    """Return whether an allocation may not wait for reclaim; kernels before 4.6 print the number alone."""
    number, _, names = mask.partition("(")
    if names:
        return "GFP_ATOMIC" in names or "GFP_NOWAIT" in names
    return bool(re.fullmatch(r"0x[0-9a-f]{1,6}", number)) and not int(number, 16) & MAY_WAIT
