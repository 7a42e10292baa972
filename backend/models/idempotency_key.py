"""The table `idempotency_key`: requests that their sender may send again without doing them again."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class IdempotencyKey(HasId, HasCreatedAt, Base):
    """One request that was done, and what it was answered; kept for a day.

    Attributes:
        key: As its sender chose it; one of the account's own.
        request_digest: SHA-256 (hex) of what was asked for.
        status: HTTP status of the answer; None until it is kept.
        headers: Of the answer, those that belong to it.
    """

    __tablename__ = "idempotency_key"
    __table_args__ = (UniqueConstraint("account_id", "key"), Index(None, "created_at"))

    account_id: Mapped[UUID] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    key: Mapped[str]
    request_digest: Mapped[str]
    status: Mapped[int | None]
    headers: Mapped[dict[str, Any]] = mapped_column(default=dict, server_default=text("'{}'"))
    body: Mapped[str] = mapped_column(default="", server_default="")
