"""The typed columns of a table: numbers with their units, wholes, times, and what each row is of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.quantities.cells import UNITS, number_of, words_of
from ingest.engines.quantities.grid import OF, SUBJECT, TABLE, TIME, Grid
from ingest.engines.quantities.meanings import meaning_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.row_columns import Cell

LEAST_NUMERIC = 0.6
"""Of the cells of a column that has numbers."""

NOTHING = frozenset({"", "-", "--", "–", "—", "N/A", "n/a", "NA", "<none>", "<unknown>", "none", "?"})

_IDENTIFIER = re.compile(
    r"^(?:l?pid|tid|lwp|cpu|core|socket|irq|id|hour|node|device|disk|queue|thread|osd|slot|seq|uid|port|partition|index|gpu)$",
    re.IGNORECASE,
)
_UNIT_OF_NAME = re.compile(
    r"[(\[](?P<unit>ns|us|usec|ms|msec|s|sec|secs|seconds|bytes|kB|KB|KiB|MB|MiB|GB|GiB)[)\]]$"
)
_BEGINS = re.compile(r"[<>~+-]?[\d.]")
_AGE = re.compile(r"(?i)(?:age|duration|elapsed|lag|delay|runtime|running)$")
_DURATION = re.compile(
    r"(?:(?P<days>\d{1,5}) ?d(?:ays?)? ?)?(?P<hours>\d{1,4}):(?P<minutes>\d\d):"
    r"(?P<seconds>\d\d(?:\.\d{1,9})?)$"
)
_TASK = re.compile(r"^(?:l?pid|tid|lwp)$", re.IGNORECASE)
_COMMAND = re.compile(r"^(?:command|cmd|comm|process|program)$", re.IGNORECASE)
_SMALL = re.compile(r"^(?P<number>[\d.]{1,20})(?P<suffix>[kmgt])$")
_FACTORS = {suffix: 1024.0 ** (place + 1) for place, suffix in enumerate("KMGTP")}
MOST_COMMAND = 40
NO_NAMES = ("uid", "port")
"""Identifiers that name no subject by themselves."""


def typed_columns(
    names: Sequence[str], at: Sequence[int], rows: Sequence[Sequence[str]], title: str
) -> Grid | None:
    """Return the grid of R rows of C cells below C names; None where too few have numbers."""
    at, rows = _alike(names, at, rows)
    columns: list[tuple[str, str]] = []
    cells: list[list[Cell]] = []
    texts: list[tuple[str, list[Cell]]] = []
    numeric = 0
    for place, name in enumerate(names):
        own = [row[place] for row in rows]
        is_identifier = _IDENTIFIER.match(name) is not None and meaning_of(name, names) is None
        typed = [_typed(cell) for cell in own]
        filled = [one for one, cell in zip(typed, own, strict=True) if cell not in NOTHING]
        if (
            not is_identifier
            and filled
            and sum(one.number is not None for one in filled) >= LEAST_NUMERIC * len(filled)
        ):
            numeric += 1
            units = {one.unit for one in typed if one.unit}
            unit = max(units, key=len) if units else ""
            if any(one.suffix for one in typed) or any(map(_SMALL.match, own)):
                typed, unit = _of_bytes(name, names, own, typed, unit)
            if (
                not unit
                and not name.lower().startswith("time")
                and (named := _UNIT_OF_NAME.search(name))
                and named["unit"].lower() in UNITS
            ):
                own_unit = UNITS[named["unit"].lower()]
                unit = own_unit.name
                typed = [
                    one._replace(number=one.number * own_unit.factor) if one.number is not None else one
                    for one in typed
                ]
            columns.append((name, unit))
            cells.append([one.number for one in typed])
            if any(one.whole is not None for one in typed):
                columns.append((f"{name}{OF}", columns[-1][1]))
                cells.append([one.whole for one in typed])
        elif filled and _AGE.search(name) and all(map(_duration, filter(None, own))):
            numeric += 1
            columns.append((name, "seconds"))
            cells.append([_duration(cell) for cell in own])
        elif filled and all(one.is_time for one in filled):
            columns.append((TIME, ""))
            cells.append(list(own))
        else:
            texts.append((name, [_label(name, cell) if is_identifier else cell for cell in own]))
    if not numeric or (len(rows) == 1 and numeric < max(2, len(names) // 3)):
        return None
    subject = _subject(texts, is_series=any(name == TIME for name, _ in columns))
    if subject is not None:
        columns.insert(0, (SUBJECT, ""))
        cells.insert(0, subject)
    columns += [(name, "") for name, _ in texts]
    cells += [own for _, own in texts]
    return Grid(TABLE, tuple(columns), list(zip(*cells, strict=True)), at, title)


def _alike(
    names: Sequence[str], at: Sequence[int], rows: Sequence[Sequence[str]]
) -> tuple[Sequence[int], Sequence[Sequence[str]]]:
    """Return the rows without those that have words below most columns of numbers: another line between."""
    if len(rows) < 3:
        return at, rows
    is_number = [[_BEGINS.match(cell) is not None for cell in row] for row in rows]
    counts = [sum(column) for column in zip(*is_number, strict=True)]
    numeric = [place for place in range(len(names)) if counts[place] * 2 > len(rows)]
    kept = [
        place
        for place, row in enumerate(rows)
        if sum(row[one] not in NOTHING and not is_number[place][one] for one in numeric) * 3 <= len(numeric)
    ]
    return [at[place] for place in kept], [rows[place] for place in kept]


def _duration(cell: str) -> float | None:
    """Return the seconds of `03:41:12.11`, `2 days 03:41:12`; None of anything else."""
    found = _DURATION.match(cell)
    if found is None:
        return None
    hours = 24 * int(found["days"] or 0) + int(found["hours"])
    return 3600.0 * hours + 60.0 * int(found["minutes"]) + float(found["seconds"])


def _label(name: str, cell: str) -> Cell:
    return f"{name} {cell}" if cell[:1].isdigit() else cell


def _subject(texts: list[tuple[str, list[Cell]]], *, is_series: bool) -> list[Cell] | None:
    """Return what each row is of, and take the column that states it out of the texts.

    A task by its number and command, else all identifiers together (`Core 0 CPU 4`), else the first text,
    if no other tells many more rows apart.
    """
    task = next((own for name, own in texts if _TASK.match(name)), None)
    if task is not None:
        command = next((own for name, own in texts if _COMMAND.match(name)), None)
        texts[:] = [one for one in texts if one[1] is not task]
        if command is None:
            return task
        return [f"{str(text)[:MOST_COMMAND]} ({number})" for text, number in zip(command, task, strict=True)]
    named = [own for name, own in texts if _IDENTIFIER.match(name) and name.lower() not in NO_NAMES]
    if named:
        names = [name for name, _ in texts]
        before = next((texts[names.index(name) - 1] for name in names if name.lower() == "partition"), None)
        named = [before[1], *named] if before is not None and before[1] not in named else named
        if len(named) == 1:
            texts[:] = [one for one in texts if one[1] not in named]
        return [" ".join(dict.fromkeys(map(str, row))) for row in zip(*named, strict=True)]
    if not texts:
        return None
    first, best = texts[0][1], max((own for _, own in texts), key=lambda own: len(set(own)))
    chosen = best if len(set(first)) * 2 < len(set(best)) else first
    if not is_series and chosen is first and len(set(first)) < len(first) and len(texts) > 1:
        both = [f"{one}/{other}" for one, other in zip(first, texts[1][1], strict=True)]
        if len(set(both)) == len(both) and all(len(one) <= MOST_COMMAND for one in both):
            return list(both)
    texts[:] = [one for one in texts if one[1] is not chosen]
    return chosen


class _Cell(NamedTuple):
    number: float | None
    unit: str = ""
    whole: float | None = None
    is_time: bool = False
    suffix: str = ""


def _of_bytes(
    name: str, names: Sequence[str], own: Sequence[str], typed: list[_Cell], unit: str
) -> tuple[list[_Cell], str]:
    """Return the cells of a column of bytes, whose suffixes are powers of 1,024; others as they are.

    Of `5019176` and `1.8g` in one column the first is in the unit that its meaning has without a suffix.
    """
    meaning = meaning_of(name, names)
    if meaning is None or not meaning.unit.startswith("bytes"):
        return typed, unit
    found = []
    for cell, one in zip(own, typed, strict=True):
        small = _SMALL.match(cell)
        suffix = one.suffix.upper() if one.suffix else small["suffix"].upper() if small else ""
        if suffix in _FACTORS:
            number = number_of((small["number"] if small else cell).rstrip("KkMGTP"))
            found.append(one._replace(number=number[0] * _FACTORS[suffix] if number else None))
        elif one.number is not None and not one.unit:
            found.append(one._replace(number=one.number * meaning.scale))
        else:
            found.append(one)
    return found, unit or meaning.unit


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
