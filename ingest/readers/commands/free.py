"""`free`: memory of the machine, as a table.

Example:
                   total        used        free      shared  buff/cache   available
    Mem:         2472784      258300     1979600          64      406488     2214484
    Swap:              0           0           0

    Mem:            15Gi        11Gi       415Mi       1.1Gi       3.2Gi       2.4Gi

Without an option the unit is KiB. A table whose command is not there is read by its size: a machine of a
million units has KiB, one of hundreds or thousands MiB; a remark says so.

Source: procps free.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "free"
VERSION = 2
TITLE = "free"
EXAMPLE = (
    "               total        used        free      shared  buff/cache   available\n"
    "Mem:         2472784      258300     1979600          64      406488     2214484"
)

PATHS: tuple[str, ...] = ("sos_commands/*/free", "sos_commands/*/free_-m")
COMMANDS: tuple[str, ...] = (r"free(?: -[bkmgh])?(?: -[wlth]+)?",)
HINTS: tuple[str, ...] = ()

_HEADER = re.compile(r"^\s*total\s+used\s+free\s+shared\b")
_SIZE = r"\d+(?:[.,]\d+)?(?:[KMGTP]i?|B)?"
_ROW = re.compile(rf"^(?P<row>Mem|Swap|Total|Low|High):(?P<cells>(?:\s+{_SIZE})+)\s*$")
_CELL = re.compile(r"(?P<value>\d+(?:[.,]\d+)?)(?P<unit>[BKMGTP]?)")
UNITS = {"b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "p": 1 << 50}
LEAST_KIB = 1_000_000
"""Fewer KiB than one GB: no machine that people ask about."""

MOST_KIB = 10**10
LEAST_MIB = 256


STARTS = (_HEADER.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the table starts at `lines[at]`."""
    return bool(_HEADER.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a row."""
    return bool(_ROW.match(line) or _HEADER.match(line))


def read(text: Text) -> Reading:
    """Read every cell in bytes; when the unit is not known nothing is read."""
    reader = FactReader(text)
    named = text.command or text.path.rsplit("/", 1)[-1].replace("_", " ")
    option = re.search(r"free -(?P<unit>[bkmg])", named)
    factor = UNITS[option["unit"]] if option else UNITS["k"] if named.startswith("free") else None
    columns: list[str] = []
    for line, entry in enumerate(text.lines, start=text.first_line):
        row = _ROW.match(entry)
        if _HEADER.match(entry):
            columns = [name.replace("/", "_") for name in entry.split()]
        elif row:
            cells = [_CELL.match(cell) for cell in row["cells"].split()]
            total = cells[0] if cells else None
            if factor is None and total and not total["unit"] and row["row"] == "Mem":
                factor = _assumed(float(total["value"].replace(",", ".")), reader, line)
            for name, cell in zip(columns, cells, strict=False):
                unit = UNITS[cell["unit"].lower()] if cell and cell["unit"] else factor
                if cell and unit:
                    value = float(cell["value"].replace(",", ".")) * unit
                    reader.add(f"free.{row['row'].lower()}.{name}_bytes", value, line, "bytes")
            if factor is None and total and not total["unit"]:
                reader.skips.add("the unit is not known without the command", line)
        elif entry.strip():
            reader.skips.add("not a row of free", line)
    return reader.result()


def _assumed(total: float, reader: FactReader, line: int) -> int | None:
    """Return the unit of a table without its command by the machine's size; None when it could be two."""
    unit = "k" if LEAST_KIB <= total < MOST_KIB else "m" if LEAST_MIB <= total < LEAST_KIB else ""
    if not unit:
        return None
    words = {"k": "KiB", "m": "MiB"}[unit]
    reader.remark(
        "assumed_unit", f"the command is not there: a total of {total:,.0f} is read as {words}", line
    )
    return UNITS[unit]
