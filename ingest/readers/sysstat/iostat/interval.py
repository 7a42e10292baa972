"""The interval between reports that no line states: what was read or written, by how much of it per second.

Example:
    Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
    vda             332.77      4923.65      5244.62       9847      10489     9847 kB at 4923.65 kB/s: 2 s

iostat takes whole seconds. The first report spans the time since boot and is not looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_RATE = re.compile(r"^(?:kB|MB|Blk)_\w+/s$")
_CELL = re.compile(r"^\d{1,15}(?:[.,]\d\d?)?$")
LOOKED_AT = 2000
"""Lines; of a long text these are enough."""

LEAST_TOTAL = 100.0
"""Of less, rounding is more than a hundredth."""

TOLERANCE = 0.02


def interval_of(lines: Sequence[str]) -> float | None:
    """Return the seconds between reports; None where no two devices or reports agree on them."""
    head: list[str] = []
    reports = 0
    found: list[float] = []
    for line in lines[:LOOKED_AT]:
        words = line.split()
        if any(map(_RATE.match, words)):
            head, reports = words, reports + 1
        elif reports > 1 and len(words) == len(head):
            cells = dict(zip(head, words, strict=True))
            found += [
                total / rate
                for name in filter(_RATE.match, head)
                if (rate := _number(cells[name]))
                and (total := _number(cells.get(name[:-2], ""))) >= LEAST_TOTAL
            ]
    seconds = {round(one) for one in found}
    is_whole = all(abs(one - round(one)) <= TOLERANCE * one for one in found)
    return float(seconds.pop()) if len(seconds) == 1 and len(found) > 1 and is_whole else None


def _number(cell: str) -> float:
    return float(cell.replace(",", ".")) if _CELL.match(cell) else 0.0
