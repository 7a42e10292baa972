"""Event log: events are written when their transaction commits, and dropped when it rolls back.

Ids ascend in commit order: writing takes a lock of the case that is released at the end of the commit, and is
the last step of a transaction, so it never waits for another lock while holding that one.

Across cases ids are given before the commit, so a lower id may appear after a higher one. A subscriber of all
cases reads with `committed_after`, up to an id below which no transaction is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import ARRAY, BigInteger, Uuid, column, event, func, insert, literal, select, table

from backend.core.event import Event

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, SessionTransaction, sessionmaker

SYSTEM = "casebook"
_PENDING, _WRITTEN = "pending events", "written events"
_WRITERS = -1
"""Advisory lock that writers of events share, from before their ids are given until the commit."""

_CASES = table("case", column("id", Uuid), column("team_id", Uuid))
"""The columns that an event states of its case, whose model is of a higher layer."""


class Written(NamedTuple):
    """An event of the transaction that is being committed."""

    id: int
    kind: str
    case_id: UUID | None


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
    rows = [row for _, row in pending]
    teams = _lock(session, {row["case_id"] for row in rows})
    written = insert(Event).returning(Event.id, Event.kind, Event.case_id, sort_by_parameter_order=True)
    found = session.execute(written, [{**row, "team_id": teams.get(row["case_id"])} for row in rows])
    session.info.setdefault(_WRITTEN, []).extend(Written(*row) for row in found)


def take_written(session: Session) -> list[Written]:
    """Return the events that the commit of `session` in progress has written, once."""
    written: list[Written] = session.info.pop(_WRITTEN, [])
    return written


def committed_after(session: Session, event_id: int, limit: int) -> list[Event]:
    """Return the events of all cases after `event_id`, in order of id, without a gap that is still filled.

    Returns nothing while a transaction is writing events: ask again. `session` must be at the start of a
    transaction at the isolation level READ COMMITTED.
    """
    last_id = last_committed(session)
    if last_id is None:
        return []
    query = select(Event).where(Event.id > event_id, Event.id <= last_id).order_by(Event.id).limit(limit)
    return list(session.scalars(query))


def last_committed(session: Session) -> int | None:
    """Return the id of an event up to which no transaction is writing any; None while one is, or without any.

    `session` as for `committed_after`.
    """
    is_quiet = session.scalar(select(func.pg_try_advisory_xact_lock(_WRITERS)))
    last_id = session.scalar(select(func.max(Event.id))) if is_quiet else None
    # Ends the lock: whoever writes from here on gets a higher id.
    session.commit()
    return last_id


def _lock(session: Session, case_ids: set[UUID | None]) -> dict[UUID | None, UUID | None]:
    """Take the locks of who writes events of these cases; return the teams of the cases."""
    ids = sorted(case_ids, key=_lock_key)
    arrays = literal(ids, ARRAY(Uuid)), literal([_lock_key(one) for one in ids], ARRAY(BigInteger))
    locked = func.unnest(*arrays).table_valued(column("id", Uuid), column("key", BigInteger)).render_derived()
    team = select(_CASES.c.team_id).where(_CASES.c.id == locked.c.id).scalar_subquery()
    # In the order of the arrays, and of the columns; any number of cases is one statement.
    locks = func.pg_advisory_xact_lock_shared(_WRITERS), func.pg_advisory_xact_lock(locked.c.key)
    return {case_id: team_id for case_id, team_id, *_ in session.execute(select(locked.c.id, team, *locks))}


def _forget(session: Session, ended: SessionTransaction) -> None:
    """Drop the events of a transaction or savepoint that ended without being written."""
    if ended.parent is None:
        session.info.pop(_PENDING, None)
    elif ended.nested and _PENDING in session.info:
        session.info[_PENDING] = [entry for entry in session.info[_PENDING] if entry[0] is not ended]


def _lock_key(case_id: UUID | None) -> int:
    return 0 if case_id is None else case_id.int & (1 << 63) - 1
