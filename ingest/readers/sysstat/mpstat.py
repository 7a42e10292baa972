"""`mpstat`: what the CPUs do, all together and one by one, over time; as tables (-T, --dec) and as JSON.

Example:
    00:11:38     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
    00:11:39     all   62.00   25.00   12.50    0.00    0.00    0.50    0.00    0.00    0.00    0.00
    00:11:39       0   66.34   18.81   14.85    0.00    0.00    0.00    0.00    0.00    0.00    0.00

Without an interval there is one report, the average since boot: its header and its rows bear the same time.
Source: sysstat mpstat.c; mpstat(1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading
from ingest.parsing import sysstat_json
from ingest.parsing.documents import objects
from ingest.parsing.series import (
    BANNER,
    CLOCK,
    CPU_SHARES,
    Quantity,
    Rows,
    Series,
    banner_facts,
    cells_of,
    printed_number,
    spanned,
)
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.facts import Fact
    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "mpstat"
VERSION = 4
TITLE = "mpstat"
COMMAND = "mpstat -P ALL 1"
EXAMPLE = (
    "00:11:38     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"
    "00:11:39     all   62.00   25.00   12.50    0.00    0.00    0.50    0.00    0.00    0.00    0.00"
)

_TIME = rf"(?P<time>{CLOCK}|[^\W\d]\w*\.?\s?:)"
_HEAD = re.compile(
    rf"^\s*{_TIME}\s+(?P<columns>(?:NODE|CPU)(?:\s+CORE\s+SOCK\s+NODE)?\s+%usr\s+%nice\s+%sys\s+%iowait\s+%irq\s.*%idle)\s*$"
)
_ROW = re.compile(rf"^\s*{_TIME}\s+(?P<cells>(?:all|\d+)(?:\s+\d+(?:[.,]\d\d?)?){{9,}})\s*$")
_RATES = re.compile(rf"^\s*{_TIME}\s+(?P<columns>(?:NODE|CPU)(?:\s+[\w()+.-]{{1,40}}/s)+)\s*$")
"""Header of the tables of `-I`; of sar, `-n SOFT` has one that begins with `total/s`."""

_RATE_ROW = re.compile(rf"^\s*{_TIME}\s+(?P<cells>(?:all|\d{{1,6}})(?:\s+\d+(?:[.,]\d\d?)?)+)\s*$")
_INTERRUPTS = Quantity("system.interrupts_per_second", "per_second")
_TOPOLOGY = 3
"""Columns of -T that the row of all CPUs leaves blank."""


STARTS = (
    BANNER.pattern,
    r'\{\s*"sysstat"',
    r".*%usr\s",
    r".*\s(?:NODE|CPU)\s+\S+/s",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether mpstat output starts at `lines[at]`: its header, or the host line above one."""
    if BANNER.match(lines[at]):
        return any(_is_head(ahead) for ahead in lines[at + 1 : at + 4])
    if sysstat_json.begins(lines[at]):
        return sysstat_json.tool_of(lines, at) == NAME
    return _is_head(lines[at])


def _is_head(line: str) -> bool:
    """Return whether `line` is the header of one of the tables."""
    return bool(_HEAD.match(line) or (_RATES.match(line) and " total/s" not in line))


def continues(line: str) -> bool:
    """Return whether `line` is a header or a row."""
    shapes = (_ROW, _RATE_ROW, BANNER)
    return _is_head(line) or any(shape.match(line) for shape in shapes) or sysstat_json.continues(line)


def read(text: Text) -> Reading:
    """Read means as facts, one set for all CPUs and one for each, and every look as a row."""
    pasted = transcript(text)
    facts: list[Fact] = []
    series, rows, counted = Series(), Rows("mpstat"), Rows("mpstat_interrupts")
    columns: list[str] = []
    times: list[str] = []
    first_line = 0
    document: list[tuple[int, str]] = []
    for number, line, _ in pasted.lines:
        if document or sysstat_json.begins(line):
            document.append((number, line))
        elif not line.strip():
            continue
        elif stated := banner_facts(line, number):
            facts.extend(stated)
        elif head := _HEAD.match(line) or _RATES.match(line):
            columns = head["columns"].split()
            times.append(head["time"])
        elif columns[1:2] and columns[1].endswith("/s") and (row := _RATE_ROW.match(line)):
            words = row["cells"].split()
            if not _rates(words, columns, row["time"], number, series=series, rows=counted):
                pasted.skips.add("not a row of mpstat", number)
        elif (row := _ROW.match(line)) and (cells := _cells(row["cells"].split(), columns)):
            _look(cells, row["time"], number, series, rows)
            first_line = first_line or number
            if not row["time"].rstrip().endswith(":"):
                times.append(row["time"])
        else:
            pasted.skips.add("not a row of mpstat", number)
    if document and not _read_json(document, facts, series, rows, times):
        pasted.skips.add("not the JSON of mpstat, or cut off", document[0][0], len(document))
    if first_line and len(times) > 1 and len(set(times)) == 1:
        pasted.remark(
            "since_boot", "the only report is the average since boot, not a look at now", first_line
        )
    return Reading(
        facts=(*facts, *series.facts()),
        row_sets=(*rows.sets(spanned(times)), *counted.sets(spanned(times))),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _cells(words: list[str], columns: list[str]) -> dict[str, str] | None:
    """Return cells by column; the row of all CPUs has none in the columns of the topology."""
    if "CORE" in columns and words[0] == "all" and len(words) == len(columns) - _TOPOLOGY:
        words = [words[0], *[""] * _TOPOLOGY, *words[1:]]
    return cells_of(words, columns)


def _rates(words: list[str], columns: list[str], time: str, line: int, *, series: Series, rows: Rows) -> bool:
    """Record the interrupts of one CPU that came at all; return whether the row fits its header."""
    cells = cells_of(words, columns)
    if cells is None:
        return False
    is_average = time.endswith(":")
    (what, cpu), *counts = cells.items()
    for column, cell in counts:
        rate = printed_number(cell)
        if rate is None or (column == "intr/s" and cpu != "all"):
            continue
        if column == "intr/s":
            labels: dict[str, str] = {}
            quantity, name = _INTERRUPTS, "interrupts_per_second"
        else:
            labels = {what.lower(): cpu, "irq": column.removesuffix("/s")}
            quantity, name = Quantity("interrupts.per_second", "per_second"), "per_second"
        if labels and not rate:
            continue
        series.add(quantity, rate, line, labels, is_average=is_average)
        if not is_average:
            rows.add(line, {"time_text": time, **labels, name: rate})
    return True


def _look(cells: Mapping[str, str], time: str, line: int, series: Series, rows: Rows) -> None:
    """Record one row of a table."""
    is_average = time.rstrip().endswith(":")
    what = next(iter(cells))
    cpu = cells[what]
    row_cells: dict[str, Cell] = {"time_text": time, "cpu": cpu}
    for column, quantity in CPU_SHARES.items():
        value = printed_number(cells.get(column, ""))
        if value is None:
            continue
        labels = {} if cpu == "all" else {what.lower(): cpu}
        series.add(quantity, value, line, labels, is_average=is_average)
        row_cells[quantity.fact.removeprefix("cpu.")] = round(value * quantity.factor, 6)
    if not is_average:
        rows.add(line, row_cells)


def _read_json(
    document: Sequence[tuple[int, str]], facts: list[Fact], series: Series, rows: Rows, times: list[str]
) -> bool:
    """Read `-o JSON`; False when it is no such document."""
    cited = sysstat_json.Citations(document, "cpu")
    is_read = False
    for host in sysstat_json.hosts(document):
        facts.extend(sysstat_json.host_facts(host, document))
        for look in objects(host.get("statistics")):
            times.append(str(look.get("timestamp") or ""))
            for load in objects(look.get("cpu-load")):
                cells = {"CPU": str(load.get("cpu"))}
                cells |= {f"%{name}": str(value) for name, value in load.items() if name != "cpu"}
                _look(cells, times[-1], cited.next(), series, rows)
                is_read = True
    return is_read
