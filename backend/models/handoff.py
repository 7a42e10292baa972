"""Handoffs: a redacted case for people elsewhere, its share links, and the messages about it."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, CleanJson, HasCreatedAt, HasId
from backend.sandbox.documents import RedactionReport, SharedContent


class HandoffState(enum.StrEnum):
    """`ready`: redacted, not shared yet; `failed`, `cancelled`: not prepared, `reason` says why."""

    PREPARING = "preparing"
    FAILED = "failed"
    CANCELLED = "cancelled"
    READY = "ready"
    OFFERED = "offered"
    ACCEPTED = "accepted"
    ANSWERED = "answered"
    CLOSED = "closed"


class Handoff(HasId, HasCreatedAt, Base):
    """One handoff.

    Attributes:
        recipient: Name of the recipient, as entered by the sender.
        question: Question of the sender; redacted in everything that leaves.
        author: Name of the author, which outlives the account.
        choice: Ids of the selected evidence.
        replacements: Open tokens that the sender chose to replace: `name` of the class, `text`.
        with_notes: Whether the redacted notes of the case are included.
        reason: Why it failed or was cancelled, one sentence; "" otherwise.
        report: Redaction report, with original values: for the sender only.
        shared: Content for recipients: pseudonyms only.
        bundle_sha256: The archive for recipients.
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
    replacements: Mapped[list[Any]] = mapped_column(default=list)
    reason: Mapped[str] = mapped_column(default="")
    report: Mapped[RedactionReport] = mapped_column(CleanJson(), default=dict)
    shared: Mapped[SharedContent] = mapped_column(CleanJson(), default=dict)
    bundle_sha256: Mapped[str | None]
    bundle_bytes: Mapped[int | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), onupdate=func.now())


class HandoffMessage(HasId, HasCreatedAt, Base):
    """A message of either side; `from_recipient` marks one sent by a link, under the name entered there."""

    __tablename__ = "handoff_message"
    __table_args__ = (Index(None, "handoff_id"),)

    handoff_id: Mapped[UUID] = mapped_column(ForeignKey("handoff.id", ondelete="CASCADE"))
    author: Mapped[str]
    from_recipient: Mapped[bool]
    text: Mapped[str]


class Share(HasId, HasCreatedAt, Base):
    """A secret link to a handoff, stored as its SHA-256 (hex).

    Attributes:
        created_by: Name of the account that made it.
        views_left: Remaining views; None without limit.
        views: Number of views.
    """

    __tablename__ = "share"
    __table_args__ = (Index(None, "handoff_id"),)

    handoff_id: Mapped[UUID] = mapped_column(ForeignKey("handoff.id", ondelete="CASCADE"))
    hash: Mapped[str] = mapped_column(unique=True)
    created_by: Mapped[str]
    created_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("account.id", ondelete="SET NULL"), index=True
    )
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    views_left: Mapped[int | None]
    views: Mapped[int] = mapped_column(default=0)
    opened_at: Mapped[datetime | None]


class SharePass(HasId, HasCreatedAt, Base):
    """Token of a browser that opened a link, stored as its SHA-256 (hex); valid as long as the link."""

    __tablename__ = "share_pass"
    __table_args__ = (Index(None, "share_id"),)

    share_id: Mapped[UUID] = mapped_column(ForeignKey("share.id", ondelete="CASCADE"))
    hash: Mapped[str] = mapped_column(unique=True)
    expires_at: Mapped[datetime]


class Redaction(Base):
    """Pseudonym state of a case: one name has one pseudonym in all handoffs; deleted with the case.

    Attributes:
        sealed_key: Key of the pseudonyms, hexadecimal, encrypted with the case as subject.
        given: Pseudonym by keyed digest of the name; holds no name.
    """

    __tablename__ = "redaction"

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    sealed_key: Mapped[str]
    given: Mapped[dict[str, str]] = mapped_column(default=dict)
