"""`free`: memory of the machine, as a table.

Example:
                   total        used        free      shared  buff/cache   available
    Mem:         2472784      258300     1979600          64      406488     2214484
    Swap:              0           0           0

Source: procps free.c; without an option the unit is KiB.
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
VERSION = 1
TITLE = "free"
EXAMPLE = (
    "               total        used        free      shared  buff/cache   available\n"
    "Mem:         2472784      258300     1979600          64      406488     2214484"
)

PATHS: tuple[str, ...] = ("sos_commands/*/free", "sos_commands/*/free_-m")
COMMANDS: tuple[str, ...] = (r"free(?: -[bkmg])?",)
HINTS: tuple[str, ...] = ()

_HEADER = re.compile(r"^\s+total\s+used\s+free\s+shared\b")
_ROW = re.compile(r"^(?P<row>Mem|Swap|Total|Low|High):(?P<cells>(?:\s+\d+)+)\s*$")
UNITS = {"b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


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
    factor = UNITS[option["unit"]] if option else UNITS["k"]
    columns: list[str] = []
    for line, entry in enumerate(text.lines, start=text.first_line):
        row = _ROW.match(entry)
        if _HEADER.match(entry):
            columns = [name.replace("/", "_") for name in entry.split()]
        elif row and not named:
            reader.skips.add("the unit is not known without the command", line)
        elif row:
            for name, cell in zip(columns, row["cells"].split(), strict=False):
                reader.add(f"free.{row['row'].lower()}.{name}_bytes", float(cell) * factor, line, "bytes")
        elif entry.strip():
            reader.skips.add("not a row of free", line)
    return reader.result()
