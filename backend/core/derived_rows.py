"""Rows derived from a case: made again at the commit of each change of what they are made of.

A model names the columns in `DERIVED_FROM`; a writer that bypasses the session calls `mark`. Transactions
that changed the same case derive one after the other, each from everything that the others committed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import event, func, inspect, select

from backend.core.domain_events import publish

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, SessionTransaction, sessionmaker

_MARKED = "cases with derived rows to make"
_LOCK = 0x0DE71BED
"""Keeps the advisory locks apart from those of the event log."""


@dataclass(frozen=True, slots=True)
class CaseContentChanged:
    """What a case says has changed; published before the commit, under the lock of its derived rows."""

    case_id: UUID


def mark(session: Session, case_id: UUID) -> None:
    """Have the derived rows of a case made at the commit of `session`."""
    if not session.in_transaction():
        session.begin()
    session.info.setdefault(_MARKED, set()).add(case_id)


def watch(sessions: sessionmaker[Session]) -> None:
    """Derive rows at every commit of the sessions of `sessions`."""
    event.listen(sessions, "after_flush", _note)
    event.listen(sessions, "before_commit", _derive)
    event.listen(sessions, "after_transaction_end", _forget)


def _note(session: Session, _context: object) -> None:
    # The row of a deleted case goes with it: to derive it would wait for what this transaction deletes.
    deleted = (row for row in session.deleted if row.__tablename__ != "case")
    for row in (*session.new, *session.dirty, *deleted):
        columns = getattr(type(row), "DERIVED_FROM", None)
        if columns is not None and (row not in session.dirty or _has_changed(row, columns)):
            mark(session, row.id if row.__tablename__ == "case" else row.case_id)


def _has_changed(row: Any, columns: frozenset[str]) -> bool:
    attributes = inspect(row).attrs
    return any(attributes[name].history.has_changes() for name in columns)


def _derive(session: Session) -> None:
    if session.in_nested_transaction():
        return
    session.flush()
    for case_id in sorted(session.info.pop(_MARKED, ())):
        key = (case_id.int ^ _LOCK) & (1 << 63) - 1
        session.execute(select(func.pg_advisory_xact_lock(key)))
        publish(session, CaseContentChanged(case_id))


def _forget(session: Session, ended: SessionTransaction) -> None:
    if ended.parent is None:
        session.info.pop(_MARKED, None)
