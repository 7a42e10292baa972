"""`dstat`, `dool` and `pcp dstat`: groups of columns over time, side by side.

Example:
    ----total-usage---- -dsk/total- -net/total- ---paging-- ---system--
    usr sys idl wai stl| read  writ| recv  send|  in   out | int   csw
      7  11  61  21   0|  18M   43M|1204B 2210B|   0     0 |4821  9833

The first row is the average since boot: it is left out when others follow, and remarked on when it is alone.
Amounts are bytes per second, their letters powers of 1024; of numbers of events powers of 1000. Kept are the
groups of the whole machine and of single disks; all others, as the most expensive process, are passed over.
Source: dstat class dstat_cpu and those after it, dool dool.py, pcp-dstat(1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.model.reading import Reading
from ingest.parsing.looks import Block, facts_of, row_sets_of
from ingest.parsing.number_rows import MOST_COLUMNS, NumberTable, ends, pattern
from ingest.paste.transcript import spanned_by, transcript
from ingest.readers.sysstat.dstat.columns import (
    CELL,
    PRINTED,
    SEPARATORS,
    columns_of,
    factors_of,
    is_head,
    is_titles,
    number_of,
    titles_of,
)
from ingest.readers.sysstat.dstat.forms import CSV_LINE, CSV_NOTE, is_csv, plain, undrawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text
    from ingest.readers.sysstat.dstat.columns import Column

NAME = "dstat"
VERSION = 2
TITLE = "dstat, dool"
COMMAND = "dstat -cdngy --nocolor 1 10"
EXAMPLE = (
    "----total-usage---- -dsk/total- -net/total- ---paging-- ---system--\n"
    "usr sys idl wai stl| read  writ| recv  send|  in   out | int   csw \n"
    "  7  11  61  21   0|  18M   43M|1204B 2210B|   0     0 |4821  9833 "
)

_NOTE = re.compile(r"^(?:You did not select any stats|Color support is disabled|Terminal width too small)")

_TIME = r"(?:[0-9]{2}|[A-Z][a-z]{2})-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"
"""The first group of `-t`."""

CONTINUES = (rf"[ \t]*(?:{_TIME}|{PRINTED})(?:[ |:].*)?$", CSV_LINE)
_CSV_LINE = re.compile(CSV_LINE)
STARTS = (_NOTE.pattern, CSV_NOTE, r"\s*┄{1,20}[a-z0-9]", r"\s*-{1,20}[a-z0-9][a-z0-9/_.-]*-*(?:[\s|]|$)")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the note about default columns or the titles of groups are at `lines[at]`."""
    if _NOTE.match(lines[at]) or is_csv(lines[at]):
        return True
    if not is_titles(lines[at]) or at + 1 == len(lines) or not is_head(lines[at + 1]):
        return False
    # vmstat has such titles, too, but no bars between the columns of two groups.
    return len(titles_of(lines[at])) == 1 or bool({"|", ":"}.intersection(undrawn(lines[at + 1])))


def continues(line: str) -> bool:
    """Return whether `line` is of a table: titles, the names of columns, or values between bars."""
    if _NOTE.match(line) or is_titles(line) or is_head(line) or _CSV_LINE.match(line):
        return True
    return any(CELL.match(word) for word in SEPARATORS.split(undrawn(line)))


def read(text: Text) -> Reading:
    """Read the means as facts and every look of the machine as a row of `dstat`."""
    pasted = transcript(text)
    lines = plain(pasted.texts)
    titles: list[str] = []
    tables: dict[tuple[str, ...], _Table] = {}
    table: _Table | None = None
    at = 0
    while at < len(lines):
        end = ends(lines, at, table.row) if table and table.row else at
        if table and end > at:
            table.numbers.take(lines[at:end], pasted.numbers[at:end])
            at = end
            continue
        line, number = lines[at], pasted.numbers[at]
        at += 1
        if not line.strip() or _NOTE.match(line):
            continue
        if is_titles(line):
            titles = titles_of(line)
        elif titles and is_head(line):
            head = (*titles, line.rstrip())
            table = tables.get(head) or tables.setdefault(head, _table(columns_of(titles, line)))
        elif table and (cells := _odd_row(table, line)):
            table.take_odd(cells, line.partition("|")[0].strip(), number)
        else:
            pasted.skips.add("not a row of dstat", number)
    blocks = [block for table in tables.values() for block in _blocks(table)]
    first = min((table.numbers.lines[0] for table in tables.values() if table.numbers.lines), default=0)
    count = sum(len(table.numbers.lines) for table in tables.values())
    if count == 1:
        pasted.remark("since_boot", "the only row is the average since boot, not a look at now", first)
    elif count:
        pasted.skips.add("average since boot", first)
        blocks = [block.chosen(block.lines > first) for block in blocks]
    return Reading(
        facts=tuple(facts_of(blocks, "device")),
        row_sets=row_sets_of(
            "dstat",
            [block for block in blocks if not block.label],
            spanned_by(pasted.command, max(1, count - 1)),
        ),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


class _Table(NamedTuple):
    """Rows below heads of equal columns, and their lines.

    Attributes:
        columns: Those of each group.
        row: What a row with all cells looks like, "" where there is none.
        passed: Groups at the left without a quantity: the time.
        kept: The columns of all other groups.
    """

    columns: list[list[Column | None]]
    row: str
    numbers: NumberTable
    passed: int
    kept: list[Column | None]

    def take_odd(self, row: Sequence[str], time: str, line: int) -> None:
        """Take the numbers of a row that lacks cells."""
        self.numbers.take_odd(" ".join(row), line, time if self.passed else None)


def _table(columns: list[list[Column | None]]) -> _Table:
    passed = next((at for at, names in enumerate(columns) if any(names)), 0)
    kept = [column for names in columns[passed:] for column in names]
    groups = [
        *(r"[^|]*" for _ in range(passed)),
        *(pattern(len(names), PRINTED) for names in columns[passed:]),
    ]
    is_regular = 0 < len(kept) <= MOST_COLUMNS and all(columns)
    row = r"\|".join(groups) + r"[| ]*" if is_regular else ""
    factors = [factors_of(column) for column in kept]
    places = [at for at, column in enumerate(kept) if column]
    numbers = NumberTable(len(kept), places, np.array(factors).T if factors else None, passed)
    return _Table(columns, row, numbers, passed, kept)


def _blocks(table: _Table) -> list[Block]:
    """Return the looks of the machine, and those of each device."""
    columns = [(at, column) for at, column in enumerate(table.kept) if column]
    values, lines = table.numbers.values(), np.frombuffer(table.numbers.lines, dtype=np.int32)
    labels = [column.labels.get("device", "") for _, column in columns]
    beside = {"time_text": table.numbers.texts()} if table.passed else {}
    blocks = []
    for label in dict.fromkeys(labels):
        own = [at for at, of in enumerate(labels) if of == label]
        cells = values if len(own) == len(columns) else values[:, own]
        quantities = tuple(columns[at][1].quantity for at in own)
        blocks.append(Block(lines, beside, quantities, cells, label, tuple(columns[at][0] for at in own)))
    return blocks


def _odd_row(table: _Table, line: str) -> list[str]:
    """Return the numbers of a row as they are read, `nan` for a group with other cells than columns.

    There is none when the line has not as many groups as the head, or no number that goes somewhere.
    """
    groups = line.rstrip("| ").split("|")
    if len(groups) != len(table.columns):
        return []
    found: list[str] = []
    for names, group in zip(table.columns[table.passed :], groups[table.passed :], strict=True):
        cells = group.split()
        pairs = zip(names, cells, strict=True) if len(cells) == len(names) else ((None, "") for _ in names)
        found += [repr(number_of(column.quantity.fact, cell)) if column else "nan" for column, cell in pairs]
    return found if any(cell != "nan" for cell in found) else []
