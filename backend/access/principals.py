"""Principals: browser sessions and bearer tokens, looked up in the database at every request.

Nothing is cached, so a revoked token is refused by every process from the commit on.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import DateTime, bindparam, select, update

from backend.access import secrets
from backend.core.errors import NotSignedInError
from backend.models.account import Account, Role, Token, TokenKind

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import BindParameter, ColumnElement, Select
    from sqlalchemy.orm import InstrumentedAttribute, Session, sessionmaker

BEARERS = (TokenKind.API, TokenKind.SERVICE, TokenKind.CASE)
NO_CREDENTIALS = (TokenKind.SIGN_IN, TokenKind.DEVICE)
USED_EVERY = timedelta(minutes=1)
_OF_PRINCIPAL = (
    *(Token.id, Token.account_id, Token.kind, Token.scopes, Token.case_id),
    *(Token.expires_at, Token.last_used_at, Token.authenticated_at),
    *(Account.name, Account.role, Account.is_owner),
)
"""Not the whole rows, which hold secrets: every request asks."""


@dataclass(frozen=True, slots=True)
class Principal:
    """The authenticated sender of a request.

    Attributes:
        scopes: Of the token, see `backend.access.actions.Scope`; None for a browser session, which has all.
        case_id: The one case the token is restricted to.
        token_id: The row of the session or token.
        authenticated_at: When the person of a browser session last proved who they are; None for a token.
    """

    id: UUID
    name: str
    role: Role
    is_owner: bool
    signed_in_by: Literal["session", "token", "guest"]
    scopes: frozenset[str] | None
    case_id: UUID | None
    token_id: UUID
    expires_at: datetime | None
    last_used_at: datetime | None
    authenticated_at: datetime | None = None


def by_cookie(session: Session, secret: str) -> Principal:
    """Return the principal of a browser session.

    Raises:
        NotSignedInError: The session has ended or never existed.
    """
    found = _by_secret(session, secret, TokenKind.SESSION)
    if found is None:
        raise NotSignedInError("the browser session has ended; sign in again")
    return found


def by_token(session: Session, secret: str) -> Principal:
    """Return the principal of a bearer token.

    Raises:
        NotSignedInError: The token is invalid, revoked, expired or incomplete.
    """
    if not secrets.is_intact(secret):
        raise NotSignedInError("this bearer token is mistyped or cut off: its checksum does not match")
    found = _by_secret(session, secret, *BEARERS)
    if found is None:
        raise NotSignedInError("the bearer token is not valid")
    return found


def by_guest(session: Session, secret: str) -> Principal:
    """Return the guest whose case `secret` opens.

    Raises:
        NotSignedInError: The case expired or was deleted.
    """
    found = _by_secret(session, secret, TokenKind.GUEST)
    if found is None:
        raise NotSignedInError("this guest case has expired and was deleted; send the evidence again")
    return found


def again(session: Session, principal: Principal) -> Principal | None:
    """Return `principal` with current role and scopes; None when the session or token is no longer active."""
    return _valid(session, _BY_ID, principal.token_id)


def holding(now: BindParameter[datetime] | None = None) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions on `Token` and its `Account` for a session or token that is active `now`."""
    return (
        # One comparison each: `not_in` has a parameter that only SQLAlchemy's own connections expand.
        *(Token.kind != kind for kind in NO_CREDENTIALS),
        Token.revoked_at.is_(None),
        Token.expires_at.is_(None) | (Token.expires_at > (datetime.now(UTC) if now is None else now)),
        Account.disabled_at.is_(None),
    )


def standing_for(account: Account) -> Principal:
    """Return the principal of what the service does for an account without a request: it only reads."""
    return Principal(
        id=account.id,
        name=account.name,
        role=account.role,
        is_owner=account.is_owner,
        signed_in_by="token",
        scopes=frozenset({"read"}),
        case_id=None,
        token_id=account.id,
        expires_at=None,
        last_used_at=None,
    )


def note_use(sessions: sessionmaker[Session], principal: Principal) -> None:
    """Store the last use of the session or token of `principal`, to the minute.

    In a transaction of its own, skipped when another holds the row: no request waits for it.
    """
    now = datetime.now(UTC)
    if principal.last_used_at is not None and now - principal.last_used_at < USED_EVERY:
        return
    free = select(Token.id).where(Token.id == principal.token_id).with_for_update(skip_locked=True)
    with sessions.begin() as session:
        session.execute(update(Token).where(Token.id.in_(free)).values(last_used_at=now))


def _by_secret(session: Session, secret: str, *kinds: TokenKind) -> Principal | None:
    return _valid(session, _BY_HASH, secrets.digest(secret), *kinds)


def _query_by(column: InstrumentedAttribute[Any]) -> Select[Any]:
    """Return the query for the active session or token whose `column` is `:key`."""
    now = bindparam("now", type_=DateTime(timezone=True))
    query: Select[Any] = select(*_OF_PRINCIPAL).join_from(Token, Account)
    return query.where(column == bindparam("key"), *holding(now))


# Made once: every request asks.
_BY_HASH, _BY_ID = _query_by(Token.hash), _query_by(Token.id)


def _valid(session: Session, query: Select[Any], key: str | UUID, *kinds: TokenKind) -> Principal | None:
    """Return the principal of a row of one of `kinds`, or of any."""
    row = session.execute(query, {"key": key, "now": datetime.now(UTC)}).one_or_none()
    if row is None or (kinds and row.kind not in kinds):
        return None
    is_session = row.kind is TokenKind.SESSION
    by_bearer: Literal["guest", "token"] = "guest" if row.kind is TokenKind.GUEST else "token"
    return Principal(
        id=row.account_id,
        name=row.name,
        role=row.role,
        is_owner=row.is_owner,
        signed_in_by="session" if is_session else by_bearer,
        scopes=None if is_session else frozenset(row.scopes),
        case_id=row.case_id,
        token_id=row.id,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        authenticated_at=row.authenticated_at if is_session else None,
    )
