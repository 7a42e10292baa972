"""The report one hold of mmap_lock prints: right-aligned `name: number` lines under a headline.

Example:
    === [READ] mmap_lock hold stats in TID 1891547 COMM r_memory ===
        number of context switches: 2569
          reclaim_throttle() calls: 0 WRITEBACK, 0 ISOLATED, 0 NOPROGRESS, 0 CONGESTED
                       nr_scanned: 1093267   ⓵ + ⓶ + ⓷ + ⓸
                         duration: 563997395 us

The text after a value is the author's annotation. The script is published with "The case of the vanishing
CPU".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.reading import Cell

HEADLINE = re.compile(
    r"^\s*=+ \[(?P<mode>READ|WRITE)\] mmap_lock hold stats in TID (?P<tid>\d+) COMM (?P<comm>.*?) =+\s*$"
)
LINE = re.compile(r"^\s*(?P<name>[a-z_][\w ()]*?): +(?P<value>\d+.*)$")
_THROTTLE = Pattern(r"(\d+) (WRITEBACK|ISOLATED|NOPROGRESS|CONGESTED)")
_NAMES = {
    "number of context switches": "context_switches",
    "number of preemptions": "preemptions",
    "__cond_resched() calls": "cond_resched_calls",
    "shrink_lruvec() calls": "shrink_lruvec_calls",
    "shrink_list() calls": "shrink_list_calls",
    "runtime": "runtime_us",
    "duration": "duration_us",
}
COLUMNS = (
    "mode", "tid", "comm", "context_switches", "preemptions",
    "throttle_writeback", "throttle_isolated", "throttle_noprogress", "throttle_congested",
    "cond_resched_calls", "shrink_lruvec_calls", "shrink_list_calls",
    "nr_taken", "nr_active", "nr_deactivated", "nr_referenced", "nr_scanned", "nr_reclaimed",
    "nr_dirty", "nr_writeback", "nr_congested", "nr_immediate", "nr_activate0", "nr_activate1",
    "nr_ref_keep", "nr_unmap_fail", "runtime_us", "duration_us",
)  # fmt: skip


def values(line: str) -> Mapping[str, float]:
    """Return the columns one line of the report states, none when it is not one of ours."""
    found = LINE.match(line)
    if not found:
        return {}
    if found["name"] == "reclaim_throttle() calls":
        return {f"throttle_{why.lower()}": float(count) for count, why in _THROTTLE.findall(found["value"])}
    column = _NAMES.get(found["name"], found["name"])
    number = re.match(r"\d+", found["value"])
    return {column: float(number[0])} if number and column in COLUMNS else {}


def row(headline: re.Match[str], stated: Mapping[str, float]) -> tuple[Cell, ...]:
    """Return one row in the order of `COLUMNS`; None where the report does not state a column."""
    who: dict[str, Cell] = {"mode": headline["mode"], "tid": float(headline["tid"]), "comm": headline["comm"]}
    return tuple(who.get(column, stated.get(column)) for column in COLUMNS)
