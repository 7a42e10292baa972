"""Who may come in, and the secrets that open the door, kept only as their hashes."""

from __future__ import annotations

import enum
from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class TokenKind(enum.StrEnum):
    """What a secret is for: a one-time sign-in URL, a browser session, or a program."""

    SIGN_IN = "sign_in"
    SESSION = "session"
    API = "api"


class Role(enum.StrEnum):
    """What an account may do at most; each may all that the one before may. `backend.access` says what."""

    VIEWER = "viewer"
    RESPONDER = "responder"
    CURATOR = "curator"
    ADMIN = "admin"


class Account(HasId, HasCreatedAt, Base):
    """A person or program.

    Attributes:
        is_owner: Whoever runs the instance; always an admin.
        disabled_at: Since when it may not come in; nothing of it is removed.
    """

    __tablename__ = "account"
    __table_args__ = (
        Index("uq_account_is_owner", "is_owner", unique=True, postgresql_where=text("is_owner")),
    )

    name: Mapped[str] = mapped_column(unique=True)
    is_owner: Mapped[bool] = mapped_column(default=False)
    role: Mapped[Role] = mapped_column(default=Role.VIEWER, server_default=Role.VIEWER.value)
    disabled_at: Mapped[datetime | None]


class Token(HasId, HasCreatedAt, Base):
    """A secret, known by its SHA-256 (hex).

    Attributes:
        prefix: First characters of an API token, to tell it from others; "" for the rest.
        used_at: When a one-time token was used up.
    """

    __tablename__ = "token"

    account_id: Mapped[UUID] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), index=True)
    kind: Mapped[TokenKind]
    name: Mapped[str] = mapped_column(default="")
    prefix: Mapped[str] = mapped_column(default="")
    hash: Mapped[str] = mapped_column(unique=True)
    expires_at: Mapped[datetime | None]
    used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
