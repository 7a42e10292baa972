"""The tables of the audit log: entries that nothing changes, each bound to the one before, and its head."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, Index
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.db.base import Base


class AuditEntry(Base):
    """Who did what, or was refused it. A trigger refuses every UPDATE, DELETE and TRUNCATE.

    No row points to another table: an entry outlives the account and the case that it speaks of.

    Attributes:
        number: 1, 2, 3… without a gap.
        actor: Name of the account then; "" for nobody known.
        via: `session`, `token`, `guest`, `link`, `service`, `command`, or `nobody`.
        action: `backend.access.actions.Action`, or `sign-in`.
        subject: Method and path, or what a command did.
        is_refused: It was asked for and not done.
        address: Where the request came from.
        previous: The hash of the entry before, 64 zeros for the first.
        hash: SHA-256 (hex) over all other columns, see `backend.core.audit`.
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
    hash: Mapped[str]


class AuditHead(Base):
    """The last entry's number and hash, in one row that is locked while another is appended."""

    __tablename__ = "audit_head"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(BigInteger)
    hash: Mapped[str]
