"""The table `idempotency_key`: stored responses of idempotent requests."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class IdempotencyKey(HasId, HasCreatedAt, Base):
    """One completed request and its response; stored for a day.

    Attributes:
        key: The idempotency key; unique per account.
        request_digest: SHA-256 (hex) of the request.
        status: HTTP status of the response; None until it is stored.
        headers: Stored headers of the response.
    """

    __tablename__ = "idempotency_key"
    __table_args__ = (UniqueConstraint("account_id", "key"), Index(None, "created_at"))

    account_id: Mapped[UUID] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    key: Mapped[str]
    request_digest: Mapped[str]
    status: Mapped[int | None]
    headers: Mapped[dict[str, Any]] = mapped_column(default=dict, server_default=text("'{}'"))
    body: Mapped[str] = mapped_column(default="", server_default="")
