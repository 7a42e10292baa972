"""Audit log: every action and refusal is written in the transaction that did it, or neither happens.

A response is sent after the commit, so no byte leaves without its entry. Entries form a hash chain: each hash
covers the entry and the previous hash, and the head stores the count. Whoever changes, removes or inserts an
entry must recompute all later hashes, and the head then differs from a copy stored elsewhere.
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
    """An action to record: who did what, by which means, from where; see `AuditEntry`."""

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
    """Result of verifying the hash chain.

    Attributes:
        entries: Number of entries checked.
        head: Hash of the last entry.
        broken: Number of the first invalid entry; None when all are valid.
        reason: Why it is invalid.
    """

    entries: int
    head: str
    broken: int | None = None
    reason: str = ""


def record(session: Session, entry: AuditAction) -> None:
    """Record `entry` when `session` commits; if it cannot be written, the commit fails."""
    if not session.in_transaction():
        session.begin()
    session.info.setdefault(_PENDING, []).append(entry)


def record_once(session: Session, entry: AuditAction, *, every: timedelta) -> None:
    """Record `entry` unless the same token did the same on the same case within `every`."""
    done = select(AuditEntry.number).where(
        AuditEntry.token_id == entry.token_id,
        AuditEntry.action == entry.action,
        AuditEntry.case_id.is_not_distinct_from(entry.case_id),
        AuditEntry.at > datetime.now(UTC) - every,
        AuditEntry.is_refused.is_(False),
    )
    if session.scalar(done.limit(1)) is None:
        record(session, entry)


def watch(sessions: sessionmaker[Session]) -> None:
    """Write the entries of every session of `sessions` at its commit, after all other rows."""
    event.listen(sessions, "before_commit", _write)
    event.listen(sessions, "after_transaction_end", _forget)


def verify(session: Session) -> Verification:
    """Verify hash, number and predecessor of every entry, and the last entry against the head."""
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
                return Verification(number, previous, number, "its content does not match its hash")
            previous = entry.hash
    head = session.get(AuditHead, HEAD_ID, populate_existing=True)
    stored_head = (0, FIRST) if head is None else (head.number, head.hash)
    if stored_head[0] > number:
        return Verification(number, previous, number + 1, "it and all later entries are missing")
    if stored_head != (number, previous):
        return Verification(number, previous, number, "the head states another last entry")
    return Verification(number, previous)


def holds(session: Session, head: str) -> bool:
    """Return whether an entry has the hash `head`, or the log was empty when it was copied."""
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
        for entry in pending:
            number += 1
            row = _row(entry, number, previous)
            previous = row["hash"]
            rows.append(row)
        session.execute(insert(AuditEntry), rows)
        session.execute(update(AuditHead).where(AuditHead.id == HEAD_ID).values(number=number, hash=previous))
    except SQLAlchemyError as error:
        raise UnavailableError("the audit log cannot be written, so the request was refused") from error


def _forget(session: Session, ended: SessionTransaction) -> None:
    """Drop what was recorded in a transaction that ended without being written."""
    if ended.parent is None:
        session.info.pop(_PENDING, None)


def _row(entry: AuditAction, number: int, previous: str) -> dict[str, Any]:
    row = {
        "number": number,
        "at": datetime.now(UTC),
        "actor_id": entry.actor_id,
        "actor": clean_text(entry.actor),
        "via": entry.via,
        "token_id": entry.token_id,
        "action": entry.action,
        "case_id": entry.case_id,
        "subject": clean_text(entry.subject)[:MAX_SUBJECT_CHARS],
        "is_refused": entry.is_refused,
        "address": clean_text(entry.address),
        "previous": previous,
    }
    return row | {"hash": _hash(row)}


def _columns(entry: AuditEntry) -> dict[str, Any]:
    names = (column.key for column in AuditEntry.__table__.columns if column.key != "hash")
    return {name: getattr(entry, name) for name in names}


def _hash(row: dict[str, Any]) -> str:
    """Return the hash of a row: JSON with sorted keys, times in UTC to the microsecond, ids as text."""
    fields = {
        name: value.astimezone(UTC).isoformat(timespec="microseconds")
        if isinstance(value, datetime)
        else value
        if value is None or isinstance(value, (bool, int))
        else str(value)
        for name, value in row.items()
    }
    return hashlib.sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
