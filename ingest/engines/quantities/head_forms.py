"""How the cells of a line are split: bars, tabs, commas, wide or single blanks, units one blank apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.quantities.cells import words_of

if TYPE_CHECKING:
    from collections.abc import Callable

_RULER = re.compile(r"^[\s|+:=.\-─━┼├┤╪╋┄]+$")
_BAR = re.compile(r"[|│┃]")
TIMED = 2
TIMES = frozenset({"time", "timestamp", "date", "datetime", "date time"})
_WIDE = re.compile(r"\s{2,}|\t+")


class Form(NamedTuple):
    """How head and rows are split.

    Attributes:
        head: Makes the names of a head.
        row: Makes the cells of a row.
        least_columns: Fewer names are no head.
    """

    head: Callable[[str], list[str]]
    row: Callable[[str], list[str]]
    least_columns: int
    is_open_ended: bool = False
    """The last column may have blanks in its cells."""


def bars(line: str) -> list[str]:
    """Return cells between bars; [] of a line with fewer than two."""
    if len(_BAR.findall(line)) < 2:
        return []
    return [cell.strip(" `*\t") for cell in _BAR.split(line.strip().strip("|│┃"))]


def groups(line: str) -> list[str]:
    """Return all words of a line with several in a cell between bars: `usr sys| 1m 5m`; [] of others."""
    cells = bars(line) or ([cell.strip() for cell in _BAR.split(line)] if _BAR.search(line) else [])
    return line_words(_BAR.sub(" ", line)) if any(len(cell.split()) > 1 for cell in cells) else []


def line_words(line: str) -> list[str]:
    """Return words, of which a `#` in front is none."""
    return line.strip().removeprefix("#").split()


def semicolons(line: str) -> list[str]:
    """Return cells between semicolons; [] of a line with fewer than two."""
    if line.count(";") < 2:
        return []
    return [cell.strip(" \"'") for cell in line.strip().removeprefix("#").split(";")]


def tabs(line: str) -> list[str]:
    """Return cells between tabs; [] without one."""
    return [cell.strip() for cell in re.split(r"\t+", line.strip())] if "\t" in line.strip() else []


def commas(line: str) -> list[str]:
    """Return cells between commas; [] of a line with fewer than two."""
    return [cell.strip(" \"'") for cell in line.split(",")] if line.count(",") > 1 else []


def timed(line: str) -> list[str]:
    """Return time and value of a line of two; [] of others, and of those that begin with no time."""
    cells = [cell.strip(" \"'") for cell in re.split(r"[,;]", line.strip())]
    if len(cells) != TIMED:
        return []
    words = words_of(cells[0])
    is_time = bool(words) and all(word.is_time for word in words)
    return cells if is_time or cells[0].lower() in TIMES else []


def wide(line: str) -> list[str]:
    """Return cells that stand two blanks or a tab apart."""
    return _WIDE.split(line.strip())


def blanks(line: str) -> list[str]:
    """Return words."""
    return line.split()


def joined(line: str) -> list[str]:
    """Return cells with the units that stand one blank apart."""
    return [line[word.start : word.end].strip() for word in words_of(line)]


FORMS = (
    Form(groups, groups, 6),
    Form(bars, bars, 2),
    Form(commas, commas, 3),
    Form(semicolons, semicolons, 3),
    Form(timed, timed, TIMED),
    Form(wide, wide, 3),
    Form(blanks, blanks, 3),
    Form(blanks, joined, 3),
    Form(wide, joined, 3),
    Form(wide, joined, 4, is_open_ended=True),
    Form(blanks, blanks, 3, is_open_ended=True),
    Form(tabs, tabs, 2),
)


def is_ruler(line: str) -> bool:
    """Return whether a line only separates head from rows."""
    return len(line.strip()) > 2 and _RULER.match(line) is not None
