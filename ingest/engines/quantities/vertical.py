r"""Vertical records: a row of a table over several lines, a line for each column.

    *************************** 1. row ***************************
         Id: 902
       Time: 2201
    ->  Record(0, {"Id": ("902", 1), "Time": ("2201", 2)})

mysql and mariadb with `\G`, psql with `\x`, cqlsh with EXPAND ON. Lines of a value that goes on over several
lines are of the record, but not of the value. Several records with the same columns are a table.
Source: client/mysql.cc (print_table_data_vertically); psql(1), \x; cqlsh, EXPAND.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.quantities.cells import words_of
from ingest.engines.quantities.grid import SUBJECT, VALUES, Grid
from ingest.engines.quantities.meanings import sized
from ingest.engines.quantities.typed_columns import typed_columns
from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.row_columns import Cell

MARK = Pattern(r"^(?:\*{5,60} \d{1,12}\. row \*{5,60}|-\[ RECORD \d{1,12} \][-+]{0,200}|@ Row \d{1,12})\s*$")
END = Pattern(r"^(?:\d{1,12} rows? in set\b.*|\(\d{1,12} rows?\)|Empty set\b.*)\s*$")
_PAIR = Pattern(r"^\s*(?P<key>[A-Za-z_][\w ()./%#-]{0,63}?)(?::| +\|)(?:\s(?P<value>.*))?$")
_RULER = Pattern(r"^-{1,200}\+-{1,200}\s*$")
MOST_KEYS = 200
MOST_LINE, MOST_TEXT = 4096, 80
MOST_RECORDS = 20_000
LEAST_KEYS = 2
NAMING = ("name", "table", "table_name", "object_name", "locked_table", "host", "channel_name", "id")
"""Columns that name what a record is of, the most telling first."""


class Record(NamedTuple):
    """One record: the index of its mark, and by column the value with the index of its line."""

    mark: int
    cells: Mapping[str, tuple[str, int]]
    end: int

    @property
    def subject(self) -> str:
        """What it is of, "" where no column names it."""
        by_name = {key.lower(): value for key, (value, _) in self.cells.items()}
        return next((by_name[name] for name in NAMING if by_name.get(name)), "")


def records(lines: Sequence[str]) -> Iterator[Record]:
    """Yield the records of a text, `MOST_RECORDS` at most; a blank line or the count of rows ends one."""
    mark, cells, count = -1, dict[str, tuple[str, int]](), 0
    for at, line in enumerate([*lines, ""]):
        is_mark = MARK.match(line) is not None
        if not is_mark and line.strip() and not END.match(line):
            if mark >= 0 and len(cells) < MOST_KEYS and (pair := pair_of(line)):
                cells.setdefault(pair[0], (pair[1], at))
            continue
        if mark >= 0 and len(cells) >= LEAST_KEYS and count < MOST_RECORDS:
            count += 1
            yield Record(mark, cells, at)
        mark, cells = (at if is_mark else -1), {}


def pair_of(line: str) -> tuple[str, str] | None:
    """Return column and value of a line of a record; None of a line that is none."""
    found = _PAIR.match(line[:MOST_LINE])
    return (found["key"].strip(), (found["value"] or "").strip()) if found else None


def is_line(line: str) -> bool:
    """Return whether a line can occur in records: a mark, a column, a ruler, the count of rows."""
    return bool(MARK.match(line) or END.match(line) or _RULER.match(line) or pair_of(line))


def grids(lines: Sequence[str], free: Sequence[int]) -> Iterator[tuple[Grid, list[int]]]:
    """Yield the tables of records with the same columns, and the values of single ones."""
    if not any(MARK.match(lines[at]) for at in free):
        return
    allowed = set(free)
    alike: dict[tuple[str, ...], list[Record]] = {}
    for one in records(lines):
        if one.mark in allowed:
            alike.setdefault(tuple(one.cells), []).append(one)
    for names, several in alike.items():
        taken = [one.mark for one in several] + [line for one in several for _, line in one.cells.values()]
        grid = _table(names, several) if len(several) > 1 else _values(several[0])
        if grid is not None and grid.rows:
            yield grid, sorted(taken)


def _table(names: Sequence[str], several: Sequence[Record]) -> Grid | None:
    rows = [[value for value, _ in one.cells.values()] for one in several]
    return typed_columns(names, [one.mark for one in several], rows, "")


def _values(one: Record) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    numbers: list[int] = []
    for key, (text, line) in one.cells.items():
        words = words_of(text[:MOST_TEXT])
        if len(words) != 1 or words[0].number is None or words[0].is_time:
            continue
        value, unit = sized(key, (words[0].number, words[0].unit, words[0].suffix), tuple(one.cells))
        rows.append((one.subject[:MOST_TEXT] or None, key, value, unit or None, text[:MOST_TEXT]))
        numbers.append(line)
    columns = ((SUBJECT, ""), ("key", ""), ("value", ""), ("unit", ""), ("text", ""))
    return Grid(VALUES, columns, rows, numbers)
