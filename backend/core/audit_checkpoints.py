"""Checkpoints of the audit log: number and hash of its last entry, signed, in the object store.

The chain alone does not show that its tail was removed, or that an older copy of the database was restored. A
checkpoint outside the database does: the entry that it names is missing then, or another. The reaper writes
one every few seconds while entries are added, one object per hour; what was added since the last one can be
cut unnoticed.

    audit/2026-11-22T21.json    {"number": 12345, "hash": "9f2c…", "at": "2026-11-22T21:59:58+00:00", …,
    "mac": "…"}

An operator who restored a backup accepts the loss; the acceptance is a checkpoint too, and stays visible.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core.audit_chain import HEAD_ID, columns_of, hash_of
from backend.core.audit_entry import AuditEntry, AuditHead
from backend.core.db.base import among

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store

logger = logging.getLogger(__name__)

PREFIX = "audit"


class CheckpointError(Exception):
    """The log does not agree with its checkpoints, or a checkpoint is not ours; one sentence."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The last entry at one time.

    Attributes:
        at: ISO 8601, in UTC.
        lost_from: First entry of an earlier log whose loss an operator accepted here; 0 for none.
        lost_to: The last of them.
        reason: What the operator stated.
    """

    number: int
    hash: str
    at: str
    lost_from: int = 0
    lost_to: int = 0
    reason: str = ""

    @property
    def name(self) -> str:
        """Key of its object: one per hour, and one of its own for each acceptance."""
        return f"{PREFIX}/{self.at[:19].replace(':', '') if self.lost_from else self.at[:13]}.json"


def read_all(store: Store, key: bytes) -> list[Checkpoint]:
    """Return all checkpoints, oldest first.

    Raises:
        CheckpointError: One is not signed with `key`.
        UnavailableError: The store does not respond.
    """
    found = [_read(content, name, key) for name, content in store.records(PREFIX)]
    return sorted(found, key=lambda one: (one.at, one.number))


def write(session: Session, store: Store, key: bytes, latest: Checkpoint | None) -> Checkpoint | None:
    """Write a checkpoint if entries were added since `latest`; return the current one, None for an empty log.

    Raises:
        CheckpointError: The log does not contain `latest`, or its last entry is not valid; nothing was
        written. UnavailableError: The store does not respond.
    """
    head = session.get(AuditHead, HEAD_ID, populate_existing=True)
    if head is None or not head.number:
        number, stored_hash = 0, ""
    else:
        number, stored_hash = head.number, head.hash
    if latest is not None and (number, stored_hash) == (latest.number, latest.hash):
        return latest
    if latest is not None:
        problems = compare(session, [latest])
        if problems:
            raise CheckpointError(problems[0])
        if number < latest.number:
            # Its checkpoint would replace that of this hour, which shows when the entries behind are gone.
            raise CheckpointError(
                f"the head of the audit log went back from entry {latest.number} to entry {number}"
            )
    if not number:
        return None
    entry = session.get(AuditEntry, number)
    if entry is None or entry.hash != stored_hash or entry.hash != hash_of(columns_of(entry), key):
        raise CheckpointError(f"entry {number}, the last of the audit log, is missing or invalid")
    made = Checkpoint(number, stored_hash, datetime.now(UTC).isoformat(timespec="milliseconds"))
    store.put_record(made.name, _signed(made, key))
    return made


def accept(session: Session, store: Store, key: bytes, *, reason: str) -> Checkpoint:
    """Accept the loss of entries that checkpoints name, such as after the restore of a backup.

    Raises:
        CheckpointError: Nothing is missing.
    """
    checkpoints = read_all(store, key)
    missing = [one.number for one in _unmet(session, checkpoints)]
    if not missing:
        raise CheckpointError("the audit log agrees with its checkpoints: there is no loss to accept")
    met = [one.number for one in checkpoints if one.number < min(missing)]
    head = session.get_one(AuditHead, HEAD_ID)
    made = Checkpoint(
        head.number,
        head.hash,
        datetime.now(UTC).isoformat(timespec="milliseconds"),
        lost_from=max(met, default=0) + 1,
        lost_to=max(missing),
        reason=reason,
    )
    store.put_record(made.name, _signed(made, key))
    return made


def compare(session: Session, checkpoints: Sequence[Checkpoint]) -> list[str]:
    """Return how the log disagrees with `checkpoints`, as sentences; none when it contains them all."""
    last = session.scalar(select(AuditEntry.number).order_by(AuditEntry.number.desc()).limit(1)) or 0
    return [
        f"entries {last + 1} to {one.number} are missing, which were there at {one.at}: "
        "the end of the log was removed, or an older copy of the database was restored"
        if one.number > last
        else f"entry {one.number} is another than at {one.at}: "
        "the log was rewritten, or an older copy of the database was restored"
        for one in _unmet(session, checkpoints)
    ]


def _unmet(session: Session, checkpoints: Sequence[Checkpoint]) -> list[Checkpoint]:
    """Return the checkpoints that the log does not contain, without those whose loss was accepted later."""
    named = among(AuditEntry.number, [one.number for one in checkpoints])
    rows = session.scalars(select(AuditEntry).where(named))
    hashes = {entry.number: entry.hash for entry in rows}
    return [
        one
        for one in checkpoints
        if hashes.get(one.number) != one.hash
        and not any(
            later.lost_from <= one.number <= later.lost_to and one.at <= later.at for later in checkpoints
        )
    ]


def _signed(checkpoint: Checkpoint, key: bytes) -> bytes:
    fields = asdict(checkpoint)
    return json.dumps({**fields, "mac": _mac(fields, key)}).encode()


def _read(content: bytes, name: str, key: bytes) -> Checkpoint:
    try:
        fields = json.loads(content)
        mac = fields.pop("mac")
        if hmac.compare_digest(str(mac), _mac(fields, key)):
            return Checkpoint(**fields)
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    raise CheckpointError(f"the checkpoint {name} was altered, or signed with another key")


def _mac(fields: dict[str, object], key: bytes) -> str:
    content = json.dumps(["checkpoint", fields], sort_keys=True, separators=(",", ":")).encode()
    return hmac.new(key, content, hashlib.sha256).hexdigest()
