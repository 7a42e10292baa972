"""The typed columns of a table: numbers with their units, wholes, times, and what each row is of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.quantities.cells import words_of
from ingest.engines.quantities.grid import OF, SUBJECT, TABLE, TIME, Grid
from ingest.engines.quantities.meanings import meaning_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.row_columns import Cell

LEAST_NUMERIC = 0.6
"""Of the cells of a column that has numbers."""

NOTHING = frozenset({"", "-", "--", "N/A", "n/a", "NA", "<none>", "<unknown>", "none", "?"})

_IDENTIFIER = re.compile(
    r"^(?:pid|tid|cpu|core|irq|id|hour|node|device|disk|queue|thread|osd|slot|seq)$", re.IGNORECASE
)


def typed_columns(
    names: Sequence[str], at: Sequence[int], rows: Sequence[Sequence[str]], title: str
) -> Grid | None:
    """Return the grid of R rows of C cells below C names; None where too few have numbers."""
    columns: list[tuple[str, str]] = []
    cells: list[list[Cell]] = []
    texts: list[tuple[str, list[Cell]]] = []
    numeric = 0
    subject: list[Cell] | None = None
    for place, name in enumerate(names):
        own = [row[place] for row in rows]
        typed = [_typed(cell) for cell in own]
        filled = [one for one, cell in zip(typed, own, strict=True) if cell not in NOTHING]
        is_identifier = _IDENTIFIER.match(name) is not None
        if (
            not is_identifier
            and filled
            and sum(one.number is not None for one in filled) >= LEAST_NUMERIC * len(filled)
        ):
            numeric += 1
            units = {one.unit for one in typed if one.unit}
            unit = max(units, key=len) if units else ""
            if not unit and any(one.suffix for one in typed):
                typed, unit = _of_bytes(name, names, typed)
            columns.append((name, unit))
            cells.append([one.number for one in typed])
            if any(one.whole is not None for one in typed):
                columns.append((f"{name}{OF}", columns[-1][1]))
                cells.append([one.whole for one in typed])
        elif filled and all(one.is_time for one in filled):
            columns.append((TIME, ""))
            cells.append(list(own))
        else:
            labels: list[Cell] = [
                f"{name} {cell}" if is_identifier and cell[:1].isdigit() else cell for cell in own
            ]
            if subject is None:
                subject = labels
            else:
                texts.append((name, labels))
    if not numeric or (len(rows) == 1 and numeric < max(2, len(names) // 3)):
        return None
    if subject is not None:
        columns.insert(0, (SUBJECT, ""))
        cells.insert(0, subject)
    columns += [(name, "") for name, _ in texts]
    cells += [own for _, own in texts]
    return Grid(TABLE, tuple(columns), list(zip(*cells, strict=True)), at, title)


class _Cell(NamedTuple):
    number: float | None
    unit: str = ""
    whole: float | None = None
    is_time: bool = False
    suffix: str = ""


def _of_bytes(name: str, names: Sequence[str], typed: list[_Cell]) -> tuple[list[_Cell], str]:
    """Return the cells of a column of bytes, whose suffixes are powers of 1,024; others as they are."""
    meaning = meaning_of(name, names)
    if meaning is None or not meaning.unit.startswith("bytes"):
        return typed, ""
    factors = {suffix: 1024 ** (place + 1) / 1000 ** (place + 1) for place, suffix in enumerate("KMGTP")}
    return [
        one._replace(number=one.number * factors.get(one.suffix.upper(), 1.0))
        if one.number is not None
        else one
        for one in typed
    ], meaning.unit


def _typed(cell: str) -> _Cell:
    """Return a cell as a number with its unit, with the whole of `used / whole`."""
    words = words_of(cell)
    if words and all(word.is_time for word in words):
        return _Cell(None, is_time=True)
    if (
        not words
        or words[0].number is None
        or words[0].suffix == "0x"
        or any(word.number is None for word in words[1:])
    ):
        return _Cell(None)
    whole = words[1].number if len(words) > 1 and words[1].role == "whole" else None
    return _Cell(words[0].number, words[0].unit, whole, suffix=words[0].suffix)
