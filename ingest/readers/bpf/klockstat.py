"""klockstat of bcc: how long callers of kernel mutexes waited for them and held them.

Example:
                                      Caller   Avg Spin  Count   Max spin Total spin
                          psi_avgs_work+0x2e       3675      5       5468      18379

                                      Caller   Avg Hold  Count   Max hold Total hold
                         flush_to_ldisc+0x22      42558      2      76135      85116

Times are nanoseconds. Offsets of callers are left out.
Source: tools/klockstat.py in iovisor/bcc.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "klockstat"
VERSION = 1
PRIORITY = 61
TITLE = "klockstat (bcc)"
COMMAND = "klockstat -d 10"
EXAMPLE = (
    "                                  Caller   Avg Spin  Count   Max spin Total spin\n"
    "                      psi_avgs_work+0x2e       3675      5       5468      18379"
)

_HEAD = re.compile(r"^\s+Caller\s+Avg (?P<what>Spin|Wait|Hold)\s+Count\s+Max \w+\s+Total \w+\s*$")
_ROW = Pattern(
    r"^\s*(?P<caller>[A-Za-z_][\w.]*)\+0x[0-9a-f]{1,8}\s+(?P<mean>\d+)\s+(?P<count>\d+)\s+(?P<longest>\d+)\s+"
    r"(?P<total>\d+)\s*$"
)
_BANNER = re.compile(r"^\s*Tracing (?:mutex )?lock events\b.*$")

STARTS = (_HEAD.pattern, _BANNER.pattern)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of a table is at `lines[at]`, or the banner above it."""
    if _BANNER.match(lines[at]):
        return any(_HEAD.match(line) for line in lines[at + 1 : at + 5])
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a head or a row."""
    return bool(_HEAD.match(line) or _ROW.match(line) or _BANNER.match(line))


def read(text: Text) -> Reading:
    """Read waits in the shape of `perf lock contention`, and how long locks were held."""
    pasted = transcript(text)
    waits, holds = Rows("lock_contention"), Rows("lock_holds")
    is_hold = False
    for number, line, _ in pasted.lines:
        if head := _HEAD.match(line):
            is_hold = head["what"] == "Hold"
        elif row := _ROW.match(line):
            (holds if is_hold else waits).add(number, _cells(row, "hold" if is_hold else "wait"))
        elif _BANNER.match(line):
            pasted.skips.add("a message of the tool", number)
        elif line.strip():
            pasted.skips.add("not a row of klockstat", number)
    return Reading(
        row_sets=(*waits.sets(), *holds.sets()),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _cells(row: re.Match[str], what: str) -> dict[str, Cell]:
    return {
        "type": "mutex",
        "caller": row["caller"],
        "contended" if what == "wait" else "acquired": float(row["count"]),
        f"total_{what}_ns": float(row["total"]),
        f"max_{what}_ns": float(row["longest"]),
        f"average_{what}_ns": float(row["mean"]),
    }
