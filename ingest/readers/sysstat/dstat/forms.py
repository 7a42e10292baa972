"""Other forms of the same table as bars between groups: dool draws its lines, and both write CSV.

┄┄total┄cpu┄usage┄┄┬┄┄┄┄┄system┄┄┄┄         ----system----|--total-cpu-usage--
usr sys idl wai stl│      time       ->      time|usr sys idl wai stl
3   1  96   0   0│Nov-28 19:08:15          Nov-28 19:08:15|  3   1  96   0   0
"""

from __future__ import annotations

import csv
import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CSV_NOTE = r'"(?:[Dd]stat|dool|pcp-dstat) [0-9][0-9.]* CSV output"'
CSV_LINE = r'(?:"[^"]*"|(?:[0-9]{2}|[A-Z][a-z]{2})-[0-9]{2} [0-9:]{8}|[0-9]+(?:\.[0-9]+)?)?(?:,.*)?$'
_CSV_NOTE = re.compile(rf"^{CSV_NOTE}")
_ABOUT = re.compile(r'^"(?:Author|Host|Cmdline):"')
_DRAWN = str.maketrans({"┄": "-", "┬": "|", "│": "|"})
_DRAWN_LINE = re.compile("[┄│]")
_TIME = ["time"]
LOOKED_AT = 50
MOST_CELLS = 1000


def undrawn(line: str) -> str:
    """Return a line with the characters that dool draws as dashes and bars."""
    return line.translate(_DRAWN) if _DRAWN_LINE.search(line) else line


def is_csv(line: str) -> bool:
    """Return whether a line is the note above a table as CSV."""
    return _CSV_NOTE.match(line) is not None


def plain(lines: list[str]) -> list[str]:
    """Return the lines as a table with bars, the time at the left; each line stays at its place."""
    head = lines[:LOOKED_AT]
    if any(map(is_csv, head)):
        return list(_of_csv(lines))
    if any(_DRAWN_LINE.search(line) for line in head):
        return list(_of_drawn(lines))
    return lines


def _of_drawn(lines: Sequence[str]) -> Iterator[str]:
    place = 0
    for at, line in enumerate(lines):
        if line.startswith("┄"):
            below = undrawn(lines[at + 1]).split("|") if at + 1 < len(lines) else []
            place = next((one for one, names in enumerate(below) if names.split() == _TIME), 0)
        groups = undrawn(line).split("|")
        if 0 < place < len(groups):
            groups.insert(0, groups.pop(place))
        yield "|".join(groups)


def _of_csv(lines: Sequence[str]) -> Iterator[str]:
    """Yield titles, names and rows; what is said about the table is left empty."""
    starts: list[int] = []
    for line in lines:
        if not line.strip() or is_csv(line) or _ABOUT.match(line):
            yield ""
            continue
        cells = next(csv.reader([line]))[:MOST_CELLS]
        if not line.startswith('"'):
            yield "|".join(" ".join(group) for group in _grouped(cells, starts)) if starts else line
        elif starts and all(cells[: max(starts) + 1]):
            names = [cell.rpartition(":")[2].replace(" ", "_") for cell in cells]
            yield "|".join(" ".join(group) for group in _grouped(names, starts))
        else:
            starts = [at for at, cell in enumerate(cells) if cell]
            yield " ".join(f"----{cells[at].replace(' ', '-')}----" for at in starts)


def _grouped(cells: Sequence[str], starts: Sequence[int]) -> list[Sequence[str]]:
    edges = [*starts, len(cells)]
    return [cells[first:last] for first, last in pairwise(edges)]
