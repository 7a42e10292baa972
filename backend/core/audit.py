"""Audit log: every action and refusal is written in the transaction that did it, or neither happens.

A response is sent after the commit, so no byte leaves without its entry. Entries form a chain of keyed hashes
(`backend.core.audit_chain`), and checkpoints of the chain are stored outside the database
(`backend.core.audit_checkpoints`): whoever can write to the database, and has no key, is noticed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, event, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from backend.core import audit_chain
from backend.core.audit_chain import HEAD_ID, AuditKey
from backend.core.audit_entry import AuditEntry, AuditHead
from backend.core.db.base import clean_text
from backend.core.encryption import DecryptionError
from backend.core.errors import AuditUnavailableError

if TYPE_CHECKING:
    from datetime import timedelta
    from uuid import UUID

    from sqlalchemy.orm import Session, SessionTransaction, sessionmaker

MAX_SUBJECT_CHARS = 500
KEY = "audit key"
"""Name of the chain's `AuditKey` in the information of a session factory."""

_PENDING = "pending audit entries"

_DONE = (
    select(AuditEntry.number)
    .where(
        AuditEntry.token_id == bindparam("token"),
        AuditEntry.action == bindparam("action"),
        AuditEntry.case_id.is_not_distinct_from(bindparam("case")),
        AuditEntry.at > bindparam("since"),
        AuditEntry.is_refused.is_(False),
    )
    .limit(1)
)


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


def record(session: Session, entry: AuditAction) -> None:
    """Record `entry` when `session` commits; if it cannot be written, the commit fails."""
    if not session.in_transaction():
        session.begin()
    session.info.setdefault(_PENDING, []).append(entry)


def record_once(session: Session, entry: AuditAction, *, every: timedelta) -> None:
    """Record `entry` unless the same token did the same on the same case within `every`.

    Raises:
        AuditUnavailableError: The log cannot be read.
    """
    same = {"token": entry.token_id, "action": entry.action, "case": entry.case_id}
    try:
        is_new = session.scalar(_DONE, {**same, "since": datetime.now(UTC) - every}) is None
    except SQLAlchemyError as error:
        raise AuditUnavailableError("the audit log cannot be read, so the request was refused") from error
    if is_new:
        record(session, entry)


def watch(sessions: sessionmaker[Session]) -> None:
    """Write the entries of every session of `sessions` at its commit, after all other rows."""
    event.listen(sessions, "before_commit", _write)
    event.listen(sessions, "after_transaction_end", _forget)


def _write(session: Session) -> None:
    pending: list[AuditAction] = session.info.pop(_PENDING, [])
    if not pending:
        return
    try:
        session.flush()
        number, previous, key_id = session.execute(
            select(AuditHead.number, AuditHead.hash, AuditHead.key_id)
            .where(AuditHead.id == HEAD_ID)
            .with_for_update()
        ).one()
        key = _key_of(session, key_id)
        rows = []
        for entry in pending:
            number += 1
            row = _row(entry, number, previous)
            previous = row["hash"] = audit_chain.hash_of(row, key)
            rows.append(row)
        session.execute(insert(AuditEntry), rows)
        head = {"number": number, "hash": previous, "key_id": audit_chain.id_of(key)}
        session.execute(update(AuditHead).where(AuditHead.id == HEAD_ID).values(head))
    except SQLAlchemyError as error:
        raise AuditUnavailableError("the audit log cannot be written, so the request was refused") from error


def _key_of(session: Session, key_id: str) -> bytes:
    """Return the key of the chain, which must be the one that signed the entries so far."""
    holder: AuditKey = session.info[KEY]
    try:
        key = holder.get(may_create=not key_id)
    except DecryptionError as error:
        raise AuditUnavailableError(f"the audit log cannot be signed: {error}") from None
    if key_id and key_id != audit_chain.id_of(key):
        raise AuditUnavailableError(
            "the audit log is signed with another key: "
            "use the data directory or CASEBOOK_SEAL_KEY of the instance"
        )
    return key


def _forget(session: Session, ended: SessionTransaction) -> None:
    """Drop what was recorded in a transaction that ended without being written."""
    if ended.parent is None:
        session.info.pop(_PENDING, None)


def _row(entry: AuditAction, number: int, previous: str) -> dict[str, Any]:
    return {
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
        "is_keyed": True,
    }
