"""The largest quantities that text of no known format states, with unit and label.

Example:
    Thread 140212 has waited at line 5611 for 241 seconds  ->  text.stated = 241 {label=at line 5611 for}
      3.|-- 10.2.0.9   41.0%   100   (below `Loss%`)       ->  text.stated = 0.41 {label=Loss% of 3.|--}

A number counts with a unit beside it, in the head of its column or in its key; without a unit only below the
head of a column or after a key that names no identity. One is kept of each kind of unit, the largest.
"""

from __future__ import annotations

import itertools
import math
import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.readers.logs.text.cells import MOST_LINE, is_number
from ingest.readers.logs.text.shape import stamp_end
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.readers.logs.text.cells import Table as RowsBelow
    from ingest.readers.logs.text.shape import Shape

FACT = "text.stated"
BELOW_ZERO = "text.size_below_zero_bytes"
LEAST_BELOW = 2.0**50
"""Smaller ones are differences; no machine has so much memory that it could be short of this."""

MOST_LABEL = 60
MOST_DIGITS = 30

MULTIPLES = {"K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
"""Of numbers without a unit: whether a thousand is 1,000 or 1,024 is not known."""

HEXADECIMAL = frozenset("bc")
"""Small letters behind a number that are digits (`a3=7c`), and no bytes or degrees."""

_STATED = re.compile(
    r"(?<![\w.:/+-])(?P<number>-?\d[\d,]{0,29}(?:\.\d{1,12})?) ?(?P<unit>[A-Za-zµ°%]{1,8})(?![\w/])"
)
_OF_HEAD = re.compile(
    r"(?:[(\[_]|^)(?P<unit>ns|nsec|us|usec|ms|msec|s|sec|seconds|%|pct|percent|bytes|kb|mb|gb)[)\]]?$"
)
_KEY = re.compile(r"\s{0,40}(?P<key>[A-Za-z_][^:=]{0,60}?)\s{0,40}[:=]\s{0,40}(?P<value>\S.{0,200})")
_ASSIGNED = re.compile(r"(?P<name>[A-Za-z_]\w{0,39})=\s{0,8}(?P<number>\d[\d.]{0,29})(?![\w.])")
_BOUND = re.compile(r"(?i)\b(?:limit|threshold|shutdown|slowdown|critical|max(?:imum)? operating)\b")
_IDENTITY = re.compile(
    r"(?i)(?:^|[\W_])(?:[pt]?g?id|lwp|uid|thread|address|addr|port|version|time|date|line|inode|serial|model|sector|lba|id#?"
    r"|node|stamp|seed|firmware|flags?|rev|device|start|end|hour|release|build|mode|offset|capacity)(?:$|[\W_])"
)


class Stated(NamedTuple):
    """A number with its label; `at` is the index of its line, `written` how it stands there."""

    number: float
    unit: str
    label: str
    written: str
    at: int


@cache
def _units() -> dict[str, tuple[str, float]]:
    """Return what each unit measures, and its factor."""
    rows = table(files("ingest.catalogue") / "unread_units.yaml")
    return {unit: (kind, factor) for kind, units in rows.items() for unit, factor in units.items()}


def facts_of(lines: Sequence[str], shape: Shape | None, first_line: int) -> Iterator[Fact]:
    """Yield the largest quantity of each kind of unit."""
    largest: dict[str, Stated] = {}
    lowest: Stated | None = None
    for one in _stated(lines, shape):
        if one.unit == "bytes" and one.number < (lowest.number if lowest else 0):
            lowest = one
        if not is_bound(one.label) and one.number > (largest[one.unit].number if one.unit in largest else 0):
            largest[one.unit] = one
    for one in largest.values():
        labels = {"label": one.label, "written": one.written}
        yield Fact(FACT, one.number, Lines.at(first_line + one.at), one.unit, labels)
    if lowest and lowest.number <= -LEAST_BELOW:
        labels = {"label": lowest.label, "written": lowest.written}
        yield Fact(BELOW_ZERO, -lowest.number, Lines.at(first_line + lowest.at), "bytes", labels)


def is_bound(label: str) -> bool:
    """Return whether a name is of what may be, and not of what is: `GPU Shutdown Temp`."""
    return bool(_BOUND.search(label))


def _stated(lines: Sequence[str], shape: Shape | None) -> Iterator[Stated]:
    rows = frozenset(shape.table.rows) if shape and shape.table else frozenset()
    for at, line in enumerate(lines):
        shown = line[:MOST_LINE]
        if shape and shape.table and at == shape.table.head:
            continue
        if shape and shape.table and at in rows:
            yield from _of_row(shape.table, shape.table.split(shown), at)
        elif (pair := _KEY.match(shown)) and "=" in pair["value"] and (unit := _OF_HEAD.search(pair["key"])):
            yield from _of_assignments(pair["key"], pair["value"], unit, at)
        elif shape and shape.kind == "pairs" and pair:
            yield from _of_pair(pair["key"].strip(), pair["value"].strip(), at)
        elif not shape or shape.kind != "json":
            yield from _in_words(shown[stamp_end(shown) :], at)


def _of_row(rows: RowsBelow, cells: Sequence[str], at: int) -> Iterator[Stated]:
    subject = next((cell for cell in cells[:2] if not is_number(cell)), "")
    for name, cell in list(zip(rows.names, cells, strict=False))[1:]:
        found = _number(cell, _OF_HEAD.search(name.lower()))
        if found is None or (not found[1] and _IDENTITY.search(name)) or not name:
            continue
        label = f"{name} of {subject}" if subject and subject != cell else name
        yield Stated(found[0], found[1] or "count", label[:MOST_LABEL], cell, at)


def _of_pair(key: str, value: str, at: int) -> Iterator[Stated]:
    first = value.partition("(")[0].strip()
    found = _number(first, _OF_HEAD.search(key.lower()))
    if found is not None and (found[1] or not _IDENTITY.search(key)):
        yield Stated(found[0], found[1] or "count", key[:MOST_LABEL], first, at)
    elif found is None:
        yield from _in_words(value, at, key)


def _of_assignments(key: str, value: str, unit: re.Match[str], at: int) -> Iterator[Stated]:
    """Yield the numbers of `clat (usec): min=6, max=94396`, which have the unit of the key."""
    for one in _ASSIGNED.finditer(value):
        found = _number(one["number"], unit)
        if found is not None and found[1]:
            yield Stated(*found, _label(key, one["name"]), f"{one['number']} {unit['unit']}", at)


def _in_words(line: str, at: int, key: str = "") -> Iterator[Stated]:
    """Yield the numbers of a line that have a unit, with the words before them, else those behind."""
    for found in _STATED.finditer(line):
        value = _number(f"{found['number']} {found['unit']}", None)
        if value is None or not value[1]:
            continue
        before, after = line[: found.start()].split(), line[found.end() :].split()
        words = _within(before[::-1])[::-1] or _within(after)
        yield Stated(value[0], value[1], _label(key, *words), found[0], at)


def _within(words: Sequence[str]) -> list[str]:
    """Return the first words that fit into a label."""
    sizes = itertools.accumulate(len(word) + 1 for word in words[:MOST_LABEL])
    return [word for word, size in zip(words, sizes, strict=False) if size < MOST_LABEL // 2]


def _label(*words: str) -> str:
    return " ".join(filter(None, words)).strip(" ([=,:|\"'")[:MOST_LABEL]


def _number(written: str, head: re.Match[str] | None) -> tuple[float, str] | None:
    """Return a value with its kind of unit, "" without one; None of what is no finite number."""
    text = written.strip("`*\"' <>~").replace(" ", "")
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ°%")
    written_unit = text[len(digits) :]
    multiple, suffix = MULTIPLES.get(written_unit), written_unit.lower()
    if written_unit in HEXADECIMAL:
        return None
    try:
        number = float(digits.replace(",", "")) if len(digits) <= MOST_DIGITS else math.nan
    except ValueError:
        return None
    if not math.isfinite(number) or (suffix and multiple is None and suffix not in _units()):
        return None
    if multiple is not None:
        return number * multiple, ""
    unit, factor = _units().get(suffix or (head["unit"] if head else ""), ("", 1.0))
    return number * factor, unit
