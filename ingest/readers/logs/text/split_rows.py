r"""Rows of tables, keys, status lines, states of objects and sessions in text of no known format, by engines.

Example:
    mem avail: 1501 of 5875 MiB (25 %), swap free:    0 of    0 MiB ( 0 %)

Vertical records of sessions of a database (`\G` of mysql, `\x` of psql) are threads that wait for locks, and
no tables. Only the first lines of a long text are held; the rest is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.engines.quantities.cells import MOST_CHARACTERS
from ingest.engines.quantities.grid import row_set
from ingest.engines.quantities.head_names import MOST_COLUMNS
from ingest.engines.quantities.meanings import has_meaning
from ingest.engines.quantities.splitter import MOST_LINES, grids_of
from ingest.engines.status.find import statuses
from ingest.engines.status.model import row_set as status_rows
from ingest.engines.threads import sessions
from ingest.engines.threads.looks import ROWS, cells_of
from ingest.model.reading import Reading, SkipCounter
from ingest.parsing.series import Rows

if TYPE_CHECKING:
    from ingest.model.section import Text

MOST_BYTES = 4 << 20
SEPARATORS = (",", ";", "\t", "|", " ")
DOCUMENTS = ("{", "[", "<")
WIDE = f"line of more than {MOST_COLUMNS} columns, of which {MOST_CHARACTERS:,} characters are looked at"
BEYOND = "line beyond what is looked at for tables"


class SplitRows:
    """Holds the first lines of a text, and splits them at its end."""

    def __init__(self, first_line: int) -> None:
        """Begin at line `first_line`."""
        self._first_line = first_line
        self._lines: list[str] = []
        self._bytes = 0
        self._beyond = (0, 0)
        self._wide = (0, 0)
        self.has_meaning = False
        """Whether the dictionary knows any name, once the result is there."""

    def take(self, text: Text) -> None:
        """Hold more lines; blank ones may be missing before them."""
        at = text.first_line - self._first_line
        if at > len(self._lines) and not self._beyond[0]:
            self._lines += [""] * min(at - len(self._lines), MOST_LINES)
        for number, line in enumerate(text.lines, start=text.first_line):
            if self._bytes > MOST_BYTES or len(self._lines) >= MOST_LINES:
                count, first = self._beyond
                self._beyond = (count + len(text.lines) - (number - text.first_line), first or number)
                return
            if len(line) >= MOST_COLUMNS and _is_wide(line):
                count, first = self._wide
                self._wide = (count + 1, first or number)
            self._lines.append(line)
            self._bytes += len(line)

    def result(self) -> Reading:
        """Return the rows of every table, and how many lines were not looked at if there is one."""
        records = sessions.records(self._lines)
        for one in records:
            self._lines[one.mark : one.end] = [""] * (one.end - one.mark)
        split = grids_of(self._lines)
        objects = statuses(self._lines)
        self.has_meaning = bool(objects or records) or any(map(has_meaning, split.grids))
        sets = tuple(
            row_set(one._replace(lines=[self._first_line + at for at in one.lines])) for one in split.grids
        )
        if objects:
            sets = (*sets, status_rows(objects, self._first_line))
        if records:
            threads = Rows(ROWS)
            for look in sessions.looks_of_records(records, self._first_line):
                threads.add(look.line, cells_of(look))
            sets = (*sets, *threads.sets())
        skips = SkipCounter()
        if self._wide[0]:
            skips.add(WIDE, self._wide[1], self._wide[0])
        if self._beyond[0] and (sets or self._wide[0]):
            skips.add(BEYOND, self._beyond[1], self._beyond[0])
        return Reading(row_sets=sets, skipped=skips.result())


def _is_wide(line: str) -> bool:
    """Return whether no table is made of a line; blanks pad short ones, and documents have commas."""
    if len(line) > MOST_CHARACTERS:
        return max(map(line.count, SEPARATORS)) >= MOST_COLUMNS
    return max(map(line.count, SEPARATORS[:-1])) >= MOST_COLUMNS and not line.lstrip().startswith(DOCUMENTS)
