"""Handoffs: a case given to people elsewhere, the links that open it, and what is said about it."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class HandoffState(enum.StrEnum):
    """`ready` is redacted and seen by nobody else; `failed` could not be made, `reason` says why."""

    PREPARING = "preparing"
    FAILED = "failed"
    READY = "ready"
    OFFERED = "offered"
    ACCEPTED = "accepted"
    ANSWERED = "answered"
    CLOSED = "closed"


class Handoff(HasId, HasCreatedAt, Base):
    """One handoff.

    Attributes:
        recipient: To whom, as the sender calls them.
        question: What the sender wants of them; redacted in everything that leaves.
        author: Who makes it; the name, which outlives the account.
        choice: Ids of the evidence to hand over.
        with_notes: Whether the notes of the case go along, redacted.
        reason: Why it failed, one sentence; "" otherwise.
        report: What redaction did, and what it changed: for the sender alone, it tells originals.
        shared: What recipients get: pseudonyms only.
        bundle_sha256: The archive that recipients get.
        bundle_bytes: Its size.
    """

    __tablename__ = "handoff"
    __table_args__ = (Index(None, "case_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    state: Mapped[HandoffState] = mapped_column(default=HandoffState.PREPARING)
    recipient: Mapped[str]
    question: Mapped[str] = mapped_column(default="")
    author: Mapped[str]
    choice: Mapped[list[Any]] = mapped_column(default=list)
    with_notes: Mapped[bool] = mapped_column(default=True)
    reason: Mapped[str] = mapped_column(default="")
    report: Mapped[dict[str, Any]] = mapped_column(default=dict)
    shared: Mapped[dict[str, Any]] = mapped_column(default=dict)
    bundle_sha256: Mapped[str | None]
    bundle_bytes: Mapped[int | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), onupdate=func.now())


class HandoffMessage(HasId, HasCreatedAt, Base):
    """What one side says to the other; `from_recipient` is who came by a link, under the name they gave."""

    __tablename__ = "handoff_message"
    __table_args__ = (Index(None, "handoff_id"),)

    handoff_id: Mapped[UUID] = mapped_column(ForeignKey("handoff.id", ondelete="CASCADE"))
    author: Mapped[str]
    from_recipient: Mapped[bool]
    text: Mapped[str]


class Share(HasId, HasCreatedAt, Base):
    """A secret link to a handoff, known by its SHA-256 (hex).

    Attributes:
        views_left: How often it may still be opened; None without limit.
        views: How often it was opened.
    """

    __tablename__ = "share"
    __table_args__ = (Index(None, "handoff_id"),)

    handoff_id: Mapped[UUID] = mapped_column(ForeignKey("handoff.id", ondelete="CASCADE"))
    hash: Mapped[str] = mapped_column(unique=True)
    created_by: Mapped[str]
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    views_left: Mapped[int | None]
    views: Mapped[int] = mapped_column(default=0)
    opened_at: Mapped[datetime | None]


class SharePass(HasId, HasCreatedAt, Base):
    """What a browser that opened a link goes on with, known by its SHA-256 (hex); good while the link is."""

    __tablename__ = "share_pass"
    __table_args__ = (Index(None, "share_id"),)

    share_id: Mapped[UUID] = mapped_column(ForeignKey("share.id", ondelete="CASCADE"))
    hash: Mapped[str] = mapped_column(unique=True)
    expires_at: Mapped[datetime]


class Redaction(Base):
    """What makes one name one pseudonym in all handoffs of a case; gone with the case.

    Attributes:
        sealed_key: Of the pseudonyms, hexadecimal, sealed about the case.
        given: Digest of a name under the key, and its pseudonym: it holds no name.
    """

    __tablename__ = "redaction"

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    sealed_key: Mapped[str]
    given: Mapped[dict[str, str]] = mapped_column(default=dict)
