"""The hash chain of the audit log: keyed hashes of entries, and their verification.

The hash of an entry is the HMAC-SHA-256 of its columns, the previous hash among them, under a key derived
from the key of the instance (`backend.core.encryption`), which is not in the database. Whoever can write to
the database can thus neither change an entry nor add one. Entries from before hashes were keyed have plain
SHA-256 hashes; none follows a keyed one.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from backend.core import encryption
from backend.core.audit_entry import AuditEntry, AuditHead

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings

PURPOSE = "casebook audit log 1"
FIRST = "0" * 64
HEAD_ID = 1
KEY_ID_CHARACTERS = 16


class AuditKey:
    """The key of the chain, read at first use."""

    def __init__(self, settings: Settings) -> None:
        """Use the key of the instance of `settings`."""
        self._settings = settings
        self._key = b""

    def get(self, *, may_create: bool) -> bytes:
        """Return the key.

        Raises:
            DecryptionError: The instance has none, and may not create one.
        """
        if not self._key:
            self._key = encryption.derived_key(self._settings, PURPOSE, may_create=may_create)
        return self._key


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of verifying the hash chain.

    Attributes:
        entries: Number of entries checked.
        head: Hash of the last entry.
        unkeyed: Number of entries from before hashes were keyed.
        broken: Number of the first invalid entry; None when all are valid.
        reason: Why it is invalid.
    """

    entries: int
    head: str
    unkeyed: int = 0
    broken: int | None = None
    reason: str = ""


def id_of(key: bytes) -> str:
    """Return the name of a key: the beginning of its digest."""
    return hashlib.sha256(key).hexdigest()[:KEY_ID_CHARACTERS]


def hash_of(row: dict[str, Any], key: bytes) -> str:
    """Return the hash of a row: of JSON with sorted keys, times in UTC to the microsecond, ids as text."""
    fields = {
        name: value.astimezone(UTC).isoformat(timespec="microseconds")
        if isinstance(value, datetime)
        else value
        if value is None or isinstance(value, (bool, int))
        else str(value)
        for name, value in row.items()
    }
    is_keyed = fields.pop("is_keyed", False)
    content = json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
    return (
        hmac.new(key, content, hashlib.sha256).hexdigest()
        if is_keyed
        else hashlib.sha256(content).hexdigest()
    )


def verify(session: Session, key: bytes) -> Verification:
    """Verify hash, number and predecessor of every entry, and the last entry against the head."""
    number, previous, unkeyed = 0, FIRST, 0
    rows = select(AuditEntry).order_by(AuditEntry.number).execution_options(yield_per=1000)
    with session.scalars(rows) as entries:
        for entry in entries:
            number += 1
            reason = _problem(entry, number, previous, key, is_after_keyed=unkeyed < number - 1)
            if reason:
                checked = number - (entry.number != number)
                return Verification(checked, previous, unkeyed, number, reason)
            unkeyed += not entry.is_keyed
            previous = entry.hash
    head = session.get(AuditHead, HEAD_ID, populate_existing=True)
    stored_head = (0, FIRST) if head is None else (head.number, head.hash)
    if stored_head[0] > number:
        return Verification(number, previous, unkeyed, number + 1, "it and all later entries are missing")
    if stored_head != (number, previous):
        return Verification(number, previous, unkeyed, number, "the head states another last entry")
    return Verification(number, previous, unkeyed)


def _problem(entry: AuditEntry, number: int, previous: str, key: bytes, *, is_after_keyed: bool) -> str:
    """Return why an entry is invalid; "" when it is valid."""
    if entry.number != number:
        return "it is missing"
    if entry.previous != previous:
        return "it does not follow the entry before it"
    if is_after_keyed and not entry.is_keyed:
        return "it is not signed, though the entry before it is"
    if not hmac.compare_digest(entry.hash, hash_of(columns_of(entry), key)):
        return "its content does not match its hash"
    return ""


def columns_of(entry: AuditEntry) -> dict[str, Any]:
    """Return the columns that the hash of an entry covers."""
    names = (column.key for column in AuditEntry.__table__.columns if column.key != "hash")
    return {name: getattr(entry, name) for name in names}
