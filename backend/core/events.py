"""Event log: events are written when their transaction commits, and dropped when it rolls back.

Ids ascend in commit order: writing takes a lock of the case that is released at the end of the commit, and is
the last step of a transaction, so it never waits for another lock while holding that one.

"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import event, func, insert, select

from backend.core.event import Event

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, SessionTransaction, sessionmaker

SYSTEM = "casebook"
_PENDING = "pending events"


def record(
    session: Session,
    kind: str,
    *,
    case_id: UUID | None = None,
    actor: str = SYSTEM,
    is_system: bool | None = None,
    payload: dict[str, Any] | None = None,
) -> None:
    """Append an event when `session` commits; by default, events of `SYSTEM` are system events."""
    if not session.in_transaction():
        session.begin()
    row = {
        "case_id": case_id,
        "kind": kind,
        "actor": actor,
        "is_system": actor == SYSTEM if is_system is None else is_system,
        "payload": payload or {},
    }
    session.info.setdefault(_PENDING, []).append((session.get_nested_transaction(), row))


def watch(sessions: sessionmaker[Session]) -> None:
    """Write the events of every session of `sessions` at its commit."""
    event.listen(sessions, "before_commit", _write)
    event.listen(sessions, "after_transaction_end", _forget)


def _write(session: Session) -> None:
    pending = session.info.pop(_PENDING, [])
    if not pending:
        return
    session.flush()
    for key in sorted({_lock_key(row["case_id"]) for _, row in pending}):
        session.execute(select(func.pg_advisory_xact_lock(key)))
    session.execute(insert(Event), [row for _, row in pending])


def _forget(session: Session, ended: SessionTransaction) -> None:
    """Drop the events of a transaction or savepoint that ended without being written."""
    if ended.parent is None:
        session.info.pop(_PENDING, None)
    elif ended.nested and _PENDING in session.info:
        session.info[_PENDING] = [entry for entry in session.info[_PENDING] if entry[0] is not ended]


def _lock_key(case_id: UUID | None) -> int:
    return 0 if case_id is None else case_id.int & (1 << 63) - 1
