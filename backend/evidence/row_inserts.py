"""Rows of many sections and members, inserted together: a session log has thousands of short ones."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy.dialects.postgresql import insert

from backend.core import derived_rows
from backend.models.blob import Blob
from backend.models.evidence import Evidence
from backend.models.fact import Fact
from backend.models.histogram import Histogram
from backend.models.log_record import LogRecord
from backend.models.profile import Profile
from backend.models.reading import Reading
from backend.models.row_set import RowSet
from backend.models.section import Section

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from backend.models.base import Base

ROWS_PER_INSERT = 5000
COPIED_ROWS = 200
"""Rows of one table from which on COPY takes less time than a statement with parameters."""

_COPIED = frozenset({Fact, LogRecord})
"""Tables of which one evidence has tens of thousands of rows."""

MEMBER = tuple(column.key for column in Evidence.__table__.columns if column.key != "created_at")
"""Columns of a new member; the database adds the time."""


class RowInserts:
    """Holds rows until they are enough for one statement per table.

    Attributes:
        session: The transaction.
    """

    _ORDER = (Blob, Evidence, Section, Reading, Profile, Fact, LogRecord, Histogram, RowSet)

    def __init__(self, session: Session) -> None:
        """Hold nothing."""
        self.session = session
        self._rows: dict[type[Base], list[dict[str, Any]]] = {table: [] for table in self._ORDER}

    def add(self, table: type[Base], rows: Iterable[dict[str, Any]]) -> None:
        """Hold rows of a table."""
        self._rows[table].extend(rows)

    def add_member(self, evidence: Evidence) -> None:
        """Hold the row of a new member of an archive, and of its bytes."""
        self._rows[Blob].append({"sha256": evidence.sha256, "size_bytes": evidence.size_bytes})
        self._rows[Evidence].append({name: getattr(evidence, name) for name in MEMBER})
        derived_rows.mark(self.session, evidence.case_id)

    def insert_many(self) -> None:
        """Insert what is held when it is enough for one statement."""
        if sum(map(len, self._rows.values())) >= ROWS_PER_INSERT:
            self.insert()

    def _copy(self, table: type[Base], rows: list[dict[str, Any]]) -> None:
        """Insert rows that have the same columns by COPY, their values as the columns bind them."""
        connection = self.session.connection()
        columns = [table.__table__.columns[name] for name in rows[0]]
        bound = [
            one.type.dialect_impl(connection.dialect).bind_processor(connection.dialect) for one in columns
        ]
        names = ", ".join(connection.dialect.identifier_preparer.quote(one.name) for one in columns)
        cursor = connection.connection.cursor()
        with cursor.copy(f"copy {table.__tablename__} ({names}) from stdin") as copy:
            for row in rows:
                cells = zip(row.values(), bound, strict=True)
                copy.write_row([process(value) if process else value for value, process in cells])

    def insert(self) -> None:
        """Insert what is held."""
        for table, rows in self._rows.items():
            if len(rows) >= COPIED_ROWS and table in _COPIED:
                self._copy(table, rows)
                rows.clear()
                continue
            statement = insert(table)
            if table is Blob:
                # In one order, so that two reports with the same files do not wait for each other.
                rows.sort(key=itemgetter("sha256"))
                statement = statement.on_conflict_do_nothing()
            for start in range(0, len(rows), ROWS_PER_INSERT):
                self.session.execute(statement, rows[start : start + ROWS_PER_INSERT])
            rows.clear()
