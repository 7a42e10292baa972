"""Accounts and tokens; secrets are stored only as their hashes."""

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

    A one-time sign-in URL, a browser session, recognising a browser that signs in (`device`), a personal API
    token (`api`), a service token (`service`), adding evidence to one case (`case`), or guest access to one
    case (`guest`).
    """

    SIGN_IN = "sign_in"
    SESSION = "session"
    DEVICE = "device"
    API = "api"
    SERVICE = "service"
    CASE = "case"
    GUEST = "guest"


class Role(enum.StrEnum):
    """Role of an account, in ascending order of permission. `backend.access` defines the permissions."""

    VIEWER = "viewer"
    RESPONDER = "responder"
    CURATOR = "curator"
    ADMIN = "admin"


class Account(HasId, HasCreatedAt, Base):
    """A person or program.

    Attributes:
        is_service: A service account: it has service tokens and never signs in.
        is_owner: The owner of the instance; always an admin.
        is_guest: The shared account of all guests; each of its tokens is for one case.
        password_hash: Argon2id, in its own notation.
        oidc_subject: Subject at the OpenID Connect provider `oidc_issuer`.
        totp_secret: Authenticator secret, base 32; required at sign-in once `totp_is_on`.
        totp_step: Time step of the last redeemed code: no code is valid twice.
        disabled_at: When it was disabled; its data remains.
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
    """A secret, stored as its SHA-256 (hex).

    Attributes:
        prefix: First characters of a token, for display; "" for sessions and sign-in URLs.
        scopes: Scopes of a token, `backend.access.actions.Scope`.
        case_id: The one case of a `case` or `guest` token.
        client: User agent of a browser session.
        authenticated_at: When the person of a browser session last proved who they are.
        used_at: When a one-time token was redeemed.
        last_used_at: Last use, to the minute.
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
    authenticated_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
