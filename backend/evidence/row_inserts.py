"""Rows of many sections, inserted together: a session log has thousands of short ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import insert

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


class RowInserts:
    """Holds rows until they are enough for one statement per table."""

    _ORDER = (Section, Reading, Profile, Fact, LogRecord, Histogram, RowSet)

    def __init__(self, session: Session) -> None:
        """Hold nothing."""
        self._session = session
        self._rows: dict[type[Base], list[dict[str, Any]]] = {table: [] for table in self._ORDER}

    def add(self, table: type[Base], rows: Iterable[dict[str, Any]]) -> None:
        """Hold rows of a table."""
        self._rows[table].extend(rows)

    def insert_many(self) -> None:
        """Insert what is held when it is enough for one statement."""
        if sum(map(len, self._rows.values())) >= ROWS_PER_INSERT:
            self.insert()

    def insert(self) -> None:
        """Insert what is held."""
        for table, rows in self._rows.items():
            for start in range(0, len(rows), ROWS_PER_INSERT):
                self._session.execute(insert(table), rows[start : start + ROWS_PER_INSERT])
            rows.clear()
