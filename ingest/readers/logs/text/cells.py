"""Rows of text as cells, and the tables that a head and its rows make.

Cells are parted by bars, tabs, two blanks or, where head and rows have as many words, by one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FEWEST = 3
"""Cells of a row."""

MOST_LINE = 400
"""Characters of a line that are looked at."""

_NUMBER = re.compile(r"[<>~+]?-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d{1,3})?(?P<unit>[a-zA-Zµ°%][\w%/]{0,9})?$")
_RULE = re.compile(r"[\s\-=+|:─━┼│╞╡╪_*.#]{3,400}$")
_BARS = re.compile(r"[|│]")
_WIDE = re.compile(r"\s{2,40}|\t")
_NAME = re.compile(r"[%#A-Za-z_<(][^{};=\"]{0,39}$")
_MARKS = "`*\"' "


class Table(NamedTuple):
    """A head with its rows.

    Attributes:
        names: C names of columns.
        head: Index of the head's line.
        rows: Indices of the lines of rows.
        split: Parts one of its lines into cells.
    """

    names: tuple[str, ...]
    head: int
    rows: tuple[int, ...]
    split: Callable[[str], list[str]]


def is_number(cell: str) -> bool:
    """Return whether a cell is a number with or without a unit."""
    return _NUMBER.match(cell.strip(_MARKS)) is not None


def is_rule(line: str) -> bool:
    """Return whether a line is drawn: `---- ----`."""
    return _RULE.match(line[:MOST_LINE]) is not None


def tables_in(lines: Sequence[str]) -> list[Table]:
    """Return the tables of a text, in their order; a line belongs to one of them."""
    return list(_tables(lines))


def _tables(lines: Sequence[str]) -> Iterator[Table]:
    at = 0
    while at < len(lines):
        found = next((one for split in SPLITS if (one := _table_at(lines, at, split))), None)
        if found is None:
            at += 1
            continue
        yield found
        at = found.rows[-1] + 1


def _table_at(lines: Sequence[str], at: int, split: Callable[[str], list[str]]) -> Table | None:
    """Return the table whose head is line `at`; its rows have as many cells."""
    names = split(lines[at][:MOST_LINE])
    if len(names) < FEWEST or is_rule(lines[at]) or not all(map(_is_name, names)):
        return None
    rows: list[int] = []
    width = 0
    for index in range(at + 1, len(lines)):
        line = lines[index][:MOST_LINE]
        if is_rule(line) if line.strip() else not rows:
            continue
        cells = split(line)
        if not width:
            width = len(cells) if len(cells) - len(names) in _more(lines[at]) else -1
        if len(cells) != width or not any(map(is_number, cells)):
            break
        rows.append(index)
    unnamed = ("",) * (width - len(names))
    return Table((*unnamed, *(_bare(name) for name in names)), at, tuple(rows), split) if rows else None


def _more(head: str) -> tuple[int, ...]:
    """Return how many more cells rows may have: an indented head may not name what the rows are of."""
    return (0, 1) if head.startswith("  ") else (0,)


def _bare(name: str) -> str:
    return name.strip(_MARKS).removesuffix(":")


def _is_name(cell: str) -> bool:
    return _NAME.match(cell.strip(_MARKS)) is not None


def _by_bars(line: str) -> list[str]:
    cells = [cell.strip() for cell in _BARS.split(line)]
    if len(cells) < FEWEST:
        return []
    return cells[(not cells[0]) : len(cells) - (not cells[-1])]


def by_wide_blanks(line: str) -> list[str]:
    """Return the cells of a line that tabs or two blanks part."""
    return [cell for cell in _WIDE.split(line.strip()) if cell]


SPLITS: tuple[Callable[[str], list[str]], ...] = (_by_bars, by_wide_blanks, str.split)
