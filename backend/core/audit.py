"""The audit log: what was done, and refused, is written with the transaction that did it, or neither happens.

An answer leaves after the commit, so no byte leaves without its entry. Entries are chained: each hash covers
the entry and the hash before it, and the head says how many there are. Whoever changes, removes or adds one
must compute all later hashes anew, and then the head differs from one that was noted elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import event, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from backend.core.audit_entry import AuditEntry, AuditHead
from backend.core.db.base import clean_text
from backend.core.errors import UnavailableError

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, SessionTransaction, sessionmaker

FIRST = "0" * 64
HEAD_ID = 1
MAX_SUBJECT_CHARS = 500
_PENDING = "pending audit entries"


@dataclass(frozen=True, slots=True)
class AuditAction:
    """What is noted: who did what, by which means, from where; see `AuditEntry`."""

    action: str
    subject: str
    actor: str = ""
    actor_id: UUID | None = None
    via: str = "nobody"
    token_id: UUID | None = None
    case_id: UUID | None = None
    is_refused: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """What checking the chain found.

    Attributes:
        entries: How many were checked.
        head: The hash of the last one.
        broken: Number of the first that is not as it was written; None when all are.
        reason: What is wrong with it.
    """

    entries: int
    head: str
    broken: int | None = None
    reason: str = ""


def record(session: Session, deed: AuditAction) -> None:
    """Note `deed` when `session` commits; when it cannot be noted, the commit fails."""
    if not session.in_transaction():
        session.begin()
    session.info.setdefault(_PENDING, []).append(deed)


def record_once(session: Session, deed: AuditAction, *, every: timedelta) -> None:
    """Note `deed` unless the same token did the same to the same case within `every`."""
    done = select(AuditEntry.number).where(
        AuditEntry.token_id == deed.token_id,
        AuditEntry.action == deed.action,
        AuditEntry.case_id.is_not_distinct_from(deed.case_id),
        AuditEntry.at > datetime.now(UTC) - every,
        AuditEntry.is_refused.is_(False),
    )
    if session.scalar(done.limit(1)) is None:
        record(session, deed)


def watch(sessions: sessionmaker[Session]) -> None:
    """Write the entries of every session of `sessions` at its commit, after everything else."""
    event.listen(sessions, "before_commit", _write)
    event.listen(sessions, "after_transaction_end", _forget)


def verify(session: Session) -> Verification:
    """Check every entry against its hash, its number and the one before it, and the last against the head."""
    number, previous = 0, FIRST
    rows = select(AuditEntry).order_by(AuditEntry.number).execution_options(yield_per=1000)
    with session.scalars(rows) as entries:
        for entry in entries:
            number += 1
            if entry.number != number:
                return Verification(number - 1, previous, number, "it is missing")
            if entry.previous != previous:
                return Verification(number, previous, number, "it does not follow the entry before it")
            if entry.hash != _hash(_columns(entry)):
                return Verification(number, previous, number, "its content is not what its hash was made of")
            previous = entry.hash
    head = session.get(AuditHead, HEAD_ID, populate_existing=True)
    noted = (0, FIRST) if head is None else (head.number, head.hash)
    if noted[0] > number:
        return Verification(number, previous, number + 1, "it is missing, and so is everything after it")
    if noted != (number, previous):
        return Verification(number, previous, number, "the head names another entry as the last")
    return Verification(number, previous)


def holds(session: Session, head: str) -> bool:
    """Say whether an entry has the hash `head`, or no entry was there yet when it was noted."""
    if head == FIRST:
        return True
    return session.scalar(select(AuditEntry.number).where(AuditEntry.hash == head)) is not None


def _write(session: Session) -> None:
    pending: list[AuditAction] = session.info.pop(_PENDING, [])
    if not pending:
        return
    try:
        session.flush()
        head = session.execute(
            select(AuditHead.number, AuditHead.hash).where(AuditHead.id == HEAD_ID).with_for_update()
        ).one()
        number, previous = head
        rows = []
        for deed in pending:
            number += 1
            row = _row(deed, number, previous)
            previous = row["hash"]
            rows.append(row)
        session.execute(insert(AuditEntry), rows)
        session.execute(update(AuditHead).where(AuditHead.id == HEAD_ID).values(number=number, hash=previous))
    except SQLAlchemyError as error:
        raise UnavailableError(
            "the audit log cannot be written, and nothing is done or given out without it"
        ) from error


def _forget(session: Session, ended: SessionTransaction) -> None:
    """Drop what was recorded in a transaction that ended without being written."""
    if ended.parent is None:
        session.info.pop(_PENDING, None)


def _row(deed: AuditAction, number: int, previous: str) -> dict[str, Any]:
    row = {
        "number": number,
        "at": datetime.now(UTC),
        "actor_id": deed.actor_id,
        "actor": clean_text(deed.actor),
        "via": deed.via,
        "token_id": deed.token_id,
        "action": deed.action,
        "case_id": deed.case_id,
        "subject": clean_text(deed.subject)[:MAX_SUBJECT_CHARS],
        "is_refused": deed.is_refused,
        "address": clean_text(deed.address),
        "previous": previous,
    }
    return row | {"hash": _hash(row)}


def _columns(entry: AuditEntry) -> dict[str, Any]:
    names = (column.key for column in AuditEntry.__table__.columns if column.key != "hash")
    return {name: getattr(entry, name) for name in names}


def _hash(row: dict[str, Any]) -> str:
    """Return the hash of a row: JSON with sorted keys, times in UTC to the microsecond, ids as text."""
    told = {
        name: value.astimezone(UTC).isoformat(timespec="microseconds")
        if isinstance(value, datetime)
        else value
        if value is None or isinstance(value, (bool, int))
        else str(value)
        for name, value in row.items()
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
