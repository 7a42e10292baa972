"""Who asks: a browser session or a bearer token, looked up in the database at every request.

Nothing is cached, so what is revoked is refused by every process from its commit on.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from sqlalchemy import select

from backend.core.errors import NotSignedInError
from backend.models.account import Account, Role, Token, TokenKind

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class Asker:
    """Who is asking, and how they showed it.

    Attributes:
        scopes: Of the token, see `backend.access.actions.Scope`; None is a browser session, for everything.
        token_id: The row of the session or token.
    """

    id: UUID
    name: str
    role: Role
    is_owner: bool
    signed_in_by: Literal["session", "token"]
    scopes: frozenset[str] | None
    token_id: UUID
    expires_at: datetime | None


def by_cookie(session: Session, secret: str) -> Asker:
    """Return whose browser session `secret` is.

    Raises:
        NotSignedInError: Nobody's, any more.
    """
    found = _valid(session, Token.hash == digest(secret), Token.kind == TokenKind.SESSION)
    if found is None:
        raise NotSignedInError("the browser session has ended; sign in again")
    return found


def by_token(session: Session, secret: str) -> Asker:
    """Return whose bearer token `secret` is.

    Raises:
        NotSignedInError: Nobody's, any more.
    """
    found = _valid(session, Token.hash == digest(secret), Token.kind == TokenKind.API)
    if found is None:
        raise NotSignedInError("the bearer token is not valid")
    return found


def again(session: Session, asker: Asker) -> Asker | None:
    """Return `asker` as they are now; None when their session or token holds no more."""
    return _valid(session, Token.id == asker.token_id)


def digest(secret: str) -> str:
    """Return what is kept of `secret`: its SHA-256, enough for 256 random bits that nobody chose."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _valid(session: Session, *conditions: ColumnElement[bool]) -> Asker | None:
    row = session.execute(
        select(Account, Token)
        .join(Token, Token.account_id == Account.id)
        .where(
            *conditions,
            Token.kind.in_([TokenKind.SESSION, TokenKind.API]),
            Token.revoked_at.is_(None),
            Token.expires_at.is_(None) | (Token.expires_at > datetime.now(UTC)),
            Account.disabled_at.is_(None),
        )
        .execution_options(populate_existing=True)
    ).one_or_none()
    if row is None:
        return None
    account, token = row
    is_session = token.kind is TokenKind.SESSION
    return Asker(
        id=account.id,
        name=account.name,
        role=account.role,
        is_owner=account.is_owner,
        signed_in_by="session" if is_session else "token",
        scopes=None if is_session else frozenset(("read", "evidence", "write", "admin")),
        token_id=token.id,
        expires_at=token.expires_at,
    )
