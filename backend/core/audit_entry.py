"""Tables of the audit log: append-only, hash-chained entries and the head of the chain."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, Index, false
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.db.base import Base


class AuditEntry(Base):
    """One action or refusal. A trigger rejects every UPDATE, DELETE and TRUNCATE.

    No foreign keys: an entry outlives its account and its case.

    Attributes:
        number: 1, 2, 3… without gaps.
        actor: Name of the account at the time; "" if unknown.
        via: `session`, `token`, `guest`, `link`, `service`, `command`, or `nobody`.
        action: `backend.access.actions.Action`, or `sign-in`.
        subject: Method and path, or the arguments of a command.
        is_refused: The action was refused.
        address: IP address of the client.
        previous: Hash of the previous entry, 64 zeros for the first.
        is_keyed: Whether the hash is keyed; entries from before it could be are not.
        hash: Keyed hash (hex) over all other columns, see `backend.core.audit_chain`.
    """

    __tablename__ = "audit_entry"
    __table_args__ = (Index(None, "token_id", "action", "case_id", "at"), Index(None, "case_id", "number"))

    number: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[datetime]
    actor_id: Mapped[UUID | None]
    actor: Mapped[str]
    via: Mapped[str]
    token_id: Mapped[UUID | None]
    action: Mapped[str]
    case_id: Mapped[UUID | None]
    subject: Mapped[str]
    is_refused: Mapped[bool]
    address: Mapped[str]
    previous: Mapped[str]
    is_keyed: Mapped[bool] = mapped_column(server_default=false())
    hash: Mapped[str]


class AuditHead(Base):
    """Number and hash of the last entry, and which key signed it; locked while an entry is appended."""

    __tablename__ = "audit_head"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(BigInteger)
    hash: Mapped[str]
    key_id: Mapped[str] = mapped_column(default="", server_default="")
