r"""Sessions of a database as vertical records: `\G` of mysql and mariadb, `\x` of psql.

Example:
    *************************** 1. row ***************************
         Id: 902
       Time: 2201
      State: Waiting for table metadata lock

They become rows of threads, which wait for locks; the general engines read other records.
Source: client/mysql.cc (print_table_data_vertically); psql(1), \x.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.engines.quantities import vertical
from ingest.engines.threads.looks import ROWS, cells_of
from ingest.engines.threads.sessions import head_of_names, looks_of_records
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.series import Rows
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

MOST_LINES = 100
"""Of one record, in which the columns of sessions stand."""

_SQL = Pattern(
    r"(?i)^\s*(?:select|from|where|and|or|join|left|inner|order|group|limit|set|values|on|having|union)\b|^\s*[(),]"
)
"""A statement that goes on over several lines."""

_ANY = Pattern(r"^\s*[A-Za-z_][\w ()./%#-]{0,63}?(?::| +\|)(?:\s.*)?$")
_ROWS = Pattern(vertical.END.pattern)
_RULER = Pattern(r"^-{1,200}\+-{1,200}\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecords(Lines):
    """Records with the columns of sessions."""

    def begins(self, lines: Sequence[str], at: int) -> bool:
        """Return whether the mark of a session is at `lines[at]`."""
        if not vertical.MARK.match(lines[at]):
            return False
        first = next(vertical.records(lines[at : at + MOST_LINES]), None)
        return first is not None and first.mark == 0 and head_of_names(list(first.cells)) is not None


def read(text: Text) -> Reading:
    """Read the records of sessions as threads."""
    rows = Rows(ROWS)
    for look in looks_of_records(text.lines, text.first_line):
        rows.add(look.line, cells_of(look))
    return Reading(row_sets=rows.sets())


FORMAT = SessionRecords(
    name="session-records",
    title="Sessions of a database, as vertical records",
    command="mysql -e 'show full processlist\\G'",
    example=(
        "*************************** 1. row ***************************\n"
        "     Id: 902\n"
        "   Time: 2201\n"
        "  State: Waiting for table metadata lock\n"
        "   Info: SELECT 1"
    ),
    first=vertical.MARK,
    shapes=(vertical.MARK, _ANY, _ROWS, _RULER, _SQL),
    read=read,
)
