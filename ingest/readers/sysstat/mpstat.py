"""`mpstat`: what the CPUs do, all together and one by one, over time.

Example:
    00:11:38     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
    00:11:39     all   62.00   25.00   12.50    0.00    0.00    0.50    0.00    0.00    0.00    0.00
    00:11:39       0   66.34   18.81   14.85    0.00    0.00    0.00    0.00    0.00    0.00    0.00

Source: sysstat mpstat.c; mpstat(1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading
from ingest.parsing.series import (
    BANNER,
    CLOCK,
    CPU_SHARES,
    Rows,
    Series,
    banner_facts,
    cells_of,
    printed_number,
    spanned,
)
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.facts import Fact
    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "mpstat"
VERSION = 1
TITLE = "mpstat"
COMMAND = "mpstat -P ALL 1"
EXAMPLE = (
    "00:11:38     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"
    "00:11:39     all   62.00   25.00   12.50    0.00    0.00    0.50    0.00    0.00    0.00    0.00"
)

_TIME = rf"(?P<time>{CLOCK}|[^\W\d]\w*\.?\s?:)"
_HEAD = re.compile(
    rf"^\s*{_TIME}\s+(?P<columns>(?:NODE|CPU)\s+%usr\s+%nice\s+%sys\s+%iowait\s+%irq\s.*%idle)\s*$"
)
_ROW = re.compile(rf"^\s*{_TIME}\s+(?P<cells>(?:all|\d+)(?:\s+\d+[.,]\d\d){{9,}})\s*$")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether mpstat output starts at `lines[at]`: its header, or the host line above one."""
    if BANNER.match(lines[at]):
        return any(_HEAD.match(ahead) for ahead in lines[at + 1 : at + 4])
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a header or a row."""
    return bool(_HEAD.match(line) or _ROW.match(line) or BANNER.match(line))


def read(text: Text) -> Reading:
    """Read means as facts, one set for all CPUs and one for each, and every look as a row."""
    pasted = transcript(text)
    facts: list[Fact] = []
    series, rows = Series(), Rows("mpstat")
    columns: list[str] = []
    times: list[str] = []
    for number, line, _ in pasted.lines:
        if not line.strip():
            continue
        if stated := banner_facts(line, number):
            facts.extend(stated)
        elif head := _HEAD.match(line):
            columns = head["columns"].split()
            times.append(head["time"])
        elif (row := _ROW.match(line)) and (cells := cells_of(row["cells"].split(), columns)):
            is_average = row["time"].rstrip().endswith(":")
            cpu = cells[columns[0]]
            row_cells: dict[str, Cell] = {"time_text": row["time"], "cpu": cpu}
            for column, quantity in CPU_SHARES.items():
                value = printed_number(cells.get(column, ""))
                if value is None:
                    continue
                labels = {} if cpu == "all" else {columns[0].lower(): cpu}
                series.add(quantity, value, number, labels, is_average=is_average)
                row_cells[quantity.fact.removeprefix("cpu.")] = round(value * quantity.factor, 6)
            if not is_average:
                times.append(row["time"])
                rows.add(number, row_cells)
        else:
            pasted.skips.add("not a row of mpstat", number)
    return Reading(
        facts=(*facts, *series.facts()),
        row_sets=rows.sets(spanned(times)),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
