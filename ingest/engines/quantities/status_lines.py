"""Repeated status lines: the words that all of them have name the numbers between them.

    Actual DISK READ:       0.00 B/s | Actual DISK WRITE:      11.82 M/s
    Actual DISK READ:       0.00 B/s | Actual DISK WRITE:      23.60 M/s
    ->  2 rows of `Actual DISK READ` and `Actual DISK WRITE`, bytes a second

A word that differs from row to row names the subject of the row. Without words, columns are numbered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.quantities.cells import words_of
from ingest.engines.quantities.grid import LINES, OF, SHARE, SUBJECT, TIME, Grid
from ingest.engines.quantities.meanings import shapes as known_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.engines.quantities.cells import Word
    from ingest.model.row_columns import Cell

LEAST_ROWS = 3
MOST_WORDS = 4
"""Words for each number: more are a sentence."""

MOST_NUMBERS = 40
MOST_VARYING = 2
"""Words of a row that differ: more are a log."""


class _Row(NamedTuple):
    at: int
    words: tuple[Word, ...]

    @property
    def shape(self) -> tuple[str, ...]:
        """The kind of each word."""
        return tuple(
            "t" if one.is_time else "w" if one.number is None else f"n{one.role}" for one in self.words
        )


def grids(lines: Sequence[str], free: Sequence[int]) -> Iterator[tuple[Grid, list[int]]]:
    """Yield the grids among the lines with the indices `free`, each with the indices that it takes."""
    shapes: dict[tuple[str, ...], list[_Row]] = {}
    for at in free:
        row = _Row(at, tuple(words_of(lines[at])))
        numbers = sum(one.number is not None for one in row.words)
        others = sum(one.number is None and not one.is_time for one in row.words)
        if 0 < numbers <= MOST_NUMBERS and others <= MOST_WORDS * numbers:
            shapes.setdefault(row.shape, []).append(row)
    for rows in shapes.values():
        known = [row for row in rows if _known_names(row.words, row.shape)]
        if known:
            yield _grid(known), [row.at for row in known]
        for same in _alike([row for row in rows if row not in known] if known else rows):
            if len(same) >= LEAST_ROWS:
                yield _grid(same), [row.at for row in same]


def _alike(rows: list[_Row]) -> Iterator[list[_Row]]:
    """Yield rows of one shape whose words are the same but for the few that name the subject."""
    if len(rows) < LEAST_ROWS:
        return
    texts = [at for at, kind in enumerate(rows[0].shape) if kind == "w"]
    varying = [at for at in texts if len({row.words[at].text for row in rows}) > 1]
    if len(varying) <= min(MOST_VARYING, max(1, len(texts))):
        yield rows
        return
    # Lines of several templates have the same kinds of words: the first word tells them apart.
    groups: dict[str, list[_Row]] = {}
    for row in rows:
        groups.setdefault(row.words[texts[0]].text, []).append(row)
    if len(groups) < len(rows):
        for group in groups.values():
            varied = [at for at in texts if len({row.words[at].text for row in group}) > 1]
            if len(varied) <= MOST_VARYING:
                yield group


def _grid(rows: list[_Row]) -> Grid:
    first = rows[0].words
    shape = rows[0].shape
    is_varying = [
        kind == "w" and len({row.words[at].text for row in rows}) > 1 for at, kind in enumerate(shape)
    ]
    names = _known_names(first, shape)
    if names:
        is_varying = [at == shape.index("w") if "w" in shape else False for at in range(len(shape))]
    else:
        names = _names(first, is_varying)
    columns: list[tuple[str, str]] = []
    cells: list[list[Cell]] = []
    if any(is_varying):
        columns.append((SUBJECT, ""))
        cells.append(
            [
                " ".join(row.words[at].text.rstrip(":") for at, varies in enumerate(is_varying) if varies)
                for row in rows
            ]
        )
    if "t" in shape:
        columns.append((TIME, ""))
        cells.append([row.words[shape.index("t")].text.lstrip("@") for row in rows])
    for at, name in names.items():
        own = [row.words[at] for row in rows]
        if name == TIME:
            columns.append((TIME, ""))
            cells.append([word.text for word in own])
            continue
        units = {word.unit for word in own if word.number or word.unit}
        columns.append((name, max(units, key=len) if units else ""))
        cells.append([float(word.number) if word.number is not None else None for word in own])
    about = " ".join(
        word.text.rstrip(":")
        for word, varies in zip(first, is_varying, strict=True)
        if word.number is None and not word.is_time and not varies
    )
    return Grid(LINES, tuple(columns), list(zip(*cells, strict=True)), [row.at for row in rows], about)


def _known_names(words: Sequence[Word], shape: Sequence[str]) -> dict[int, str]:
    """Return the names of numbers of rows that are known without their head; {} of others."""
    kinds = " ".join({"nwhole": "nw", "nshare": "ns", "nend": "ne"}.get(one, one) for one in shape)
    units = tuple(word.unit for word in words if word.number is not None)
    texts = [word.text for word in words if word.number is None]
    for known in known_shapes():
        if known.kinds == kinds and known.units == units and (not known.words or known.words & {*texts}):
            places = [at for at, word in enumerate(words) if word.number is not None]
            if not known.has(next(iter(texts), ""), [words[at].number or 0.0 for at in places]):
                continue
            return dict(zip(places, known.names, strict=True))
    return {}


def _names(words: Sequence[Word], is_varying: Sequence[bool]) -> dict[int, str]:
    """Return the name of each number by its place: the words before it, or what it is of the one before."""
    found: dict[int, str] = {}
    before: list[str] = []
    last = ""
    for at, word in enumerate(words):
        if word.is_time:
            continue
        if word.number is None:
            if not is_varying[at] and any(letter.isalpha() or letter == "%" for letter in word.text):
                before.append(word.text.rstrip(":"))
            continue
        if word.role in {"whole", "share"} and last:
            name = f"{last}{OF if word.role == 'whole' else SHARE}"
        else:
            name = " ".join(before[-MOST_WORDS:]) or f"column {at + 1}"
            last = name
        found[at] = name
        before = []
    return found
