"""Names in the columns of tables of single tools, `tables.yaml`; `columns.py` has those of any program.

    CONTAINER ID   IMAGE     NAMES
    4c01db0b339c   redis:7   ledger_cache_1

A cell belongs to a title that it overlaps. Tables end with an empty line, a command or a setting.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ingest.native import _core
from ingest.redact import detectors
from ingest.redact.cells import Cell, Rows, column_of, is_behind_a_table, without_branches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.redact.detectors import Table

_CELL = re.compile(rb"[^\s|]+")
_NONE = frozenset({b"<none>", b"-", b"--", b"(none)", b"N/A", b"n/a", b"none", b"null", b"unknown"})
_ADDRESS = re.compile(rb"[0-9.]+")
_NAME = re.compile(rb"[A-Za-z0-9_\x80-\xff][A-Za-z0-9._@+\x80-\xff-]*")
SHORTEST = 3
LONGEST = 80


def cells(text: bytes) -> Iterator[Cell]:
    """Yield the names in all tables of `text`."""
    rows = Rows(text)
    for start, end, number in _headers().places(text):
        table = detectors.load().tables[number]
        columns = tuple(_columns(table, text[start:end]))
        if columns:
            yield from _cells(rows.below(columns, end + 1), columns)


def _columns(table: Table, header: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield start, end (exclusive) and kind of each title that the table knows."""
    # Longer titles first: POD is a title of its own, and a part of POD ID.
    for title, kind in sorted(table.columns.items(), key=lambda column: -len(column[0])):
        found = re.search(rb"(?<![^\s|])" + re.escape(title.encode()) + rb"(?![^\s|])", header)
        if found is not None:
            yield found.start(), found.end(), kind
            header = header[: found.start()] + b"|" * len(found[0]) + header[found.end() :]


def _cells(rows: Iterator[tuple[int, bytes]], columns: tuple[tuple[int, int, str], ...]) -> Iterator[Cell]:
    for start, row in rows:
        if is_behind_a_table(row):
            return
        found = [(cell.start() + without_branches(cell[0]), cell.end()) for cell in _CELL.finditer(row)]
        for begins, ends, kind in columns:
            at = next((one for one in found if _is_below(row, one, begins, ends)), None)
            if at is not None and _is_name(row[at[0] : at[1]]):
                bare = row[at[0] : at[1]]
                size = len(bare.split(b":")[0]) if kind == "host" else len(bare)
                yield Cell(start + at[0], start + at[0] + size, kind)


def _is_below(row: bytes, cell: tuple[int, int], begins: int, ends: int) -> bool:
    return column_of(row, cell[0]) < ends and begins < column_of(row, cell[1])


def _is_name(cell: bytes) -> bool:
    bare = cell.split(b":")[0]
    is_long = SHORTEST <= len(bare) <= LONGEST
    return (
        is_long
        and cell not in _NONE
        and _ADDRESS.fullmatch(bare) is None
        and _NAME.fullmatch(bare) is not None
    )


@lru_cache(maxsize=1)
def _headers() -> _core.Patterns:
    """Return the headers, compiled once per process."""
    return _core.Patterns([table.header for table in detectors.load().tables])
