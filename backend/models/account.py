"""Who may come in, and the secrets that open the door, kept only as their hashes."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class TokenKind(enum.StrEnum):
    """What a secret is for.

    A one-time sign-in URL, a browser session, a program of a person (`api`), a program of nobody's
    (`service`), sending evidence to one case and nothing else (`case`), or looking at what somebody sent who
    had not signed in (`guest`).
    """

    SIGN_IN = "sign_in"
    SESSION = "session"
    API = "api"
    SERVICE = "service"
    CASE = "case"
    GUEST = "guest"


class Role(enum.StrEnum):
    """What an account may do at most; each may all that the one before may. `backend.access` says what."""

    VIEWER = "viewer"
    RESPONDER = "responder"
    CURATOR = "curator"
    ADMIN = "admin"


class Account(HasId, HasCreatedAt, Base):
    """A person or program.

    Attributes:
        is_service: A program's own account: it has service tokens and never signs in.
        is_owner: Whoever runs the instance; always an admin.
        is_guest: Stands for everybody who has not signed in; each of their tokens is for one case.
        password_hash: Argon2id, in its own notation.
        oidc_subject: Who it is at the OpenID Connect provider `oidc_issuer`.
        totp_secret: Of an authenticator, base 32; asked for once `totp_is_on`.
        totp_step: The step of the last code that was used: none is good twice.
        disabled_at: Since when it may not come in; nothing of it is removed.
    """

    __tablename__ = "account"
    __table_args__ = (
        Index("uq_account_is_owner", "is_owner", unique=True, postgresql_where=text("is_owner")),
        Index("uq_account_is_guest", "is_guest", unique=True, postgresql_where=text("is_guest")),
        UniqueConstraint("oidc_issuer", "oidc_subject"),
    )

    name: Mapped[str] = mapped_column(unique=True)
    is_owner: Mapped[bool] = mapped_column(default=False)
    is_service: Mapped[bool] = mapped_column(default=False, server_default=false())
    is_guest: Mapped[bool] = mapped_column(default=False, server_default=false())
    role: Mapped[Role] = mapped_column(default=Role.VIEWER, server_default=Role.VIEWER.value)
    disabled_at: Mapped[datetime | None]
    password_hash: Mapped[str | None]
    oidc_issuer: Mapped[str | None]
    oidc_subject: Mapped[str | None]
    totp_secret: Mapped[str | None]
    totp_is_on: Mapped[bool] = mapped_column(default=False, server_default=false())
    totp_step: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))


class Token(HasId, HasCreatedAt, Base):
    """A secret, known by its SHA-256 (hex).

    Attributes:
        prefix: First characters of a token, to tell it from others; "" for sessions and sign-in URLs.
        scopes: What a token may be used for, `backend.access.actions.Scope`.
        case_id: The one case of a `case` or `guest` token.
        client: Where a browser session was opened, as the browser names itself.
        used_at: When a one-time token was used up.
        last_used_at: To the minute.
    """

    __tablename__ = "token"

    account_id: Mapped[UUID] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), index=True)
    kind: Mapped[TokenKind]
    name: Mapped[str] = mapped_column(default="")
    prefix: Mapped[str] = mapped_column(default="")
    hash: Mapped[str] = mapped_column(unique=True)
    scopes: Mapped[list[Any]] = mapped_column(default=list, server_default=text("'[]'"))
    case_id: Mapped[UUID | None] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), index=True)
    client: Mapped[str] = mapped_column(default="", server_default="")
    last_used_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
