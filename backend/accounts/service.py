"""Authentication: the embedded owner, one-time sign-in tokens, browser sessions and API tokens.

Every secret is 256 random bits, shown once and stored only as its SHA-256: a fast hash is enough for a
random secret, and a copy of the database opens nothing.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from backend.access.secrets import digest
from backend.accounts import tokens
from backend.core.errors import NotSignedInError
from backend.models.account import Account, Role, Token, TokenKind

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.actions import Scope
    from backend.access.principals import Principal

OWNER_NAME = "owner"
SIGN_IN_LIFETIME = timedelta(minutes=10)
SECRET_BYTES = 32
MAX_CLIENT_CHARS = 200


def owner(session: Session) -> Account:
    """Return the account of the owner of the instance, created at first use."""
    found = session.scalar(select(Account).where(Account.is_owner))
    if found is not None:
        return found
    made = Account(name=OWNER_NAME, is_owner=True, role=Role.ADMIN)
    session.add(made)
    session.flush()
    return made


def create_sign_in_token(session: Session) -> str:
    """Return a new one-time token for the sign-in URL; earlier ones stay valid for ten minutes."""
    return _issue(session, owner(session).id, TokenKind.SIGN_IN, lifetime=SIGN_IN_LIFETIME)


def create_api_token(
    session: Session,
    *,
    name: str,
    lifetime: timedelta | None = None,
    scopes: Collection[Scope] = tokens.EVERYTHING,
) -> str:
    """Return a new bearer token of the owner with the name `name`; it is shown once."""
    account = owner(session)
    _, secret = tokens.make(
        session, account.id, kind=TokenKind.API, name=name, scopes=scopes, lifetime=lifetime
    )
    return secret


def use_sign_in_token(session: Session, token: str) -> UUID:
    """Redeem a one-time token; return its account.

    Raises:
        NotSignedInError: The token is unknown, used or older than ten minutes.
    """
    now = datetime.now(UTC)
    used: UUID | None = session.scalar(
        update(Token)
        .where(
            Token.hash == digest(token),
            Token.kind == TokenKind.SIGN_IN,
            Token.used_at.is_(None),
            Token.revoked_at.is_(None),
            Token.expires_at > now,
        )
        .values(used_at=now)
        .returning(Token.account_id)
    )
    if used is None:
        raise NotSignedInError(
            "this sign-in link was already used or is older than ten minutes; "
            "`casebook serve` prints a new one at every start"
        )
    return used


def open_session(
    session: Session,
    account_id: UUID,
    *,
    lifetime: timedelta,
    client: str = "",
    authenticated_at: datetime | None = None,
) -> str:
    """Return the secret of a new browser session of an account that was authenticated, by default now."""
    return _issue(
        session,
        account_id,
        TokenKind.SESSION,
        lifetime=lifetime,
        client=client,
        authenticated_at=authenticated_at or datetime.now(UTC),
    )


def sign_out(session: Session, secret: str) -> None:
    """End the browser session of `secret` immediately."""
    session.execute(
        update(Token)
        .where(Token.hash == digest(secret), Token.kind == TokenKind.SESSION)
        .values(revoked_at=datetime.now(UTC))
    )


def confirm_session(session: Session, token_id: UUID) -> None:
    """Note that the person of a browser session has just proved who they are."""
    session.execute(update(Token).where(Token.id == token_id).values(authenticated_at=datetime.now(UTC)))


def renew_session(session: Session, token_id: UUID, secret: str) -> str:
    """Replace the `secret` of a browser session; return the new one. A copy of the old one opens nothing.

    Raises:
        NotSignedInError: Another request replaced it, or the session has ended.
    """
    renewed = secrets.token_urlsafe(SECRET_BYTES)
    session_of_secret = update(Token).where(
        Token.id == token_id, Token.hash == digest(secret), Token.revoked_at.is_(None)
    )
    replaced = session_of_secret.values(hash=digest(renewed)).returning(Token.id)
    if session.scalar(replaced) is None:
        raise NotSignedInError("the browser session has ended; sign in again")
    return renewed


def end_other_sessions(session: Session, principal: Principal, *, with_tokens: bool = False) -> None:
    """End all browser sessions of `principal` but this one, unused sign-in URLs too.

    `with_tokens` revokes the tokens they made as well: personal ones, and those of cases.
    """
    ended = [TokenKind.SESSION, TokenKind.SIGN_IN]
    if with_tokens:
        ended += [TokenKind.API, TokenKind.CASE]
    session.execute(
        update(Token)
        .where(
            Token.account_id == principal.id,
            Token.id != principal.token_id,
            Token.kind.in_(ended),
            Token.revoked_at.is_(None),
        )
        .values(revoked_at=datetime.now(UTC))
    )


def _issue(
    session: Session,
    account_id: UUID,
    kind: TokenKind,
    *,
    lifetime: timedelta,
    client: str = "",
    authenticated_at: datetime | None = None,
) -> str:
    secret = secrets.token_urlsafe(SECRET_BYTES)
    session.add(
        Token(
            account_id=account_id,
            kind=kind,
            hash=digest(secret),
            client=client[:MAX_CLIENT_CHARS],
            authenticated_at=authenticated_at,
            expires_at=datetime.now(UTC) + lifetime,
        )
    )
    session.flush()
    return secret
