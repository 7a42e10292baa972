"""Known devices: a browser in which somebody signed in to an account before, recognised by a cookie.

    Set-Cookie: casebook_device=…; Path=/api/v1/session; HttpOnly; SameSite=Lax

The cookie authenticates nobody: with it, failed attempts of this browser are counted apart from those of
strangers (`backend.accounts.login_throttle`). Each account stores another digest of it, so one browser can be
known to several. It lasts half a year after the last sign-in.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from backend.access.secrets import digest
from backend.models.account import Account, Token, TokenKind

if TYPE_CHECKING:
    from uuid import UUID

    from fastapi import Request, Response
    from sqlalchemy.orm import Session

COOKIE = "casebook_device"
PATH = "/api/v1/session"
LIFETIME = timedelta(days=180)
SECRET_BYTES = 32
SECRET_CHARS = 43
MAX_PER_ACCOUNT = 20


def find(session: Session, request: Request, name: str) -> UUID | None:
    """Return the id of the device that sends `request` if the account `name` knows it."""
    secret = request.cookies.get(COOKIE, "")
    account_id = session.scalar(select(Account.id).where(Account.name == name)) if secret else None
    if account_id is None:
        return None
    return session.scalar(
        select(Token.id).where(
            Token.kind == TokenKind.DEVICE,
            Token.hash == _hash(account_id, secret),
            Token.expires_at > datetime.now(UTC),
        )
    )


def remember(
    request: Request, response: Response, session: Session, account_id: UUID, *, is_secure: bool
) -> None:
    """Make the browser of `request` known to an account that has just signed in, and set its cookie."""
    secret = request.cookies.get(COOKIE, "")
    if len(secret) != SECRET_CHARS:
        secret = secrets.token_urlsafe(SECRET_BYTES)
    hashed, now = _hash(account_id, secret), datetime.now(UTC)
    mine = Token.account_id == account_id, Token.kind == TokenKind.DEVICE
    again = update(Token).where(*mine, Token.hash == hashed)
    again = again.values(expires_at=now + LIFETIME, last_used_at=now)
    if session.scalar(again.returning(Token.id)) is None:
        session.add(
            Token(
                account_id=account_id,
                kind=TokenKind.DEVICE,
                hash=hashed,
                expires_at=now + LIFETIME,
                last_used_at=now,
            )
        )
        session.flush()
        latest = select(Token.id).where(*mine).order_by(Token.last_used_at.desc()).limit(MAX_PER_ACCOUNT)
        session.execute(delete(Token).where(*mine, Token.id.not_in(latest)))
    response.set_cookie(
        COOKIE,
        secret,
        max_age=int(LIFETIME.total_seconds()),
        path=PATH,
        httponly=True,
        samesite="lax",
        secure=is_secure,
    )


def forget_others(session: Session, request: Request, account_id: UUID) -> None:
    """Forget all devices of an account but that of `request`."""
    this = _hash(account_id, request.cookies.get(COOKIE, ""))
    mine = Token.account_id == account_id, Token.kind == TokenKind.DEVICE
    session.execute(delete(Token).where(*mine, Token.hash != this))


def _hash(account_id: UUID, secret: str) -> str:
    return digest(f"{account_id}:{secret}")
