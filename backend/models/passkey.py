"""Passkeys: public keys of the authenticators of people (WebAuthn)."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Passkey(HasId, HasCreatedAt, Base):
    """A credential of an authenticator that verified its user; it signs in without a password or code.

    Attributes:
        name: A label of the person, such as "laptop".
        credential_id: Id that the authenticator chose.
        public_key: COSE key.
        sign_count: Signatures so far, where the authenticator counts; a lower one is a copy.
        transports: How browsers reach the authenticator, `internal`, `usb`…
        last_used_at: Last sign-in or confirmation.
    """

    __tablename__ = "passkey"

    account_id: Mapped[UUID] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    credential_id: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))
    transports: Mapped[list[Any]] = mapped_column(default=list, server_default=text("'[]'"))
    last_used_at: Mapped[datetime | None]


class PasskeyChallenge(HasCreatedAt, Base):
    """A random challenge for one signature, valid once and for five minutes.

    Attributes:
        hash: SHA-256 (hex) of the challenge.
        account_id: The account that adds a passkey; null for a sign-in or confirmation.
    """

    __tablename__ = "passkey_challenge"

    hash: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[UUID | None] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), index=True)
