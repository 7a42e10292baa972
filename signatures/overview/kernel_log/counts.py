"""Errors of memory that the records of a kernel log count, and the module that has them.

EDAC: 16 corrected memory errors on CPU0 channel 2 DIMM 0, in 7 records
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signatures.overview.kernel_log.chain import Alarm

KINDS = {"edac_corrected": "corrected", "edac_uncorrected": "uncorrected"}
SOCKETS = {"cpu": "CPU", "cpu_srcid": "CPU", "srcid": "CPU", "p": "CPU"}
PARTS = {"chan": "channel", "ch": "channel", "channel": "channel", "dimm": "DIMM", "ha": "HA", "mc": "MC"}
"""Names of the levels in the labels of EDAC drivers: drivers/edac/sb_edac.c, skx_common.c, i7core_edac.c."""

_LEVEL = re.compile(r"_?([A-Za-z]{1,16}(?:_[A-Za-z]{1,16}){0,2})#(\d+)")


def memory_errors(alarm: Alarm) -> str:
    """Return how many errors the records count and of which module; "" for other classes."""
    what = KINDS.get(alarm.log_class.name)
    records = [one.record for one in alarm.places]
    counts = [one.fields.get("count") for one in records]
    total = sum(count for count in counts if isinstance(count, float))
    if what is None or not total:
        return ""
    by_part: Counter[str] = Counter()
    for record, count in zip(records, counts, strict=True):
        part = str(record.fields.get("part") or "")
        by_part[part] += int(count) if part and isinstance(count, float) else 0
    errors = "error" if total == 1 else "errors"
    within = f", in {len(records):,} records" if len(records) > 1 else ""
    return f"EDAC: {total:,.0f} {what} memory {errors}{_on(by_part)}{within}"


def _on(by_part: Counter[str]) -> str:
    """Return ` on CPU0 channel 2 DIMM 0`, of several modules the worst; "" without a name."""
    named = [(part, count) for part, count in by_part.most_common() if count]
    if not named:
        return ""
    part, count = named[0]
    more = len(named) - 1
    others = f" ({count:,} of them) and {more} more module{'s' if more > 1 else ''}" if more else ""
    return f" on {part_words(part)}{others}"


def part_words(label: str) -> str:
    """Return `CPU0 channel 2 DIMM 0` of `CPU_SrcID#0_Ha#0_Chan#2_DIMM#0`; other labels as printed."""
    levels = _LEVEL.findall(label)
    if "".join(f"{name}#{number}" for name, number in levels).replace("_", "") != label.replace("_", ""):
        return label
    words = []
    for name, number in levels:
        key = name.lower()
        if key in SOCKETS:
            words.append(f"{SOCKETS[key]}{number}")
        else:
            words.append(f"{PARTS.get(key, name)} {number}")
    return " ".join(words)
