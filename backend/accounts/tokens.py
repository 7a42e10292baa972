"""API tokens: personal, service and case tokens; create, rotate, revoke."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.access import secrets
from backend.access.actions import Scope
from backend.core.errors import ConflictError, NotFoundError
from backend.core.http.pagination import WHOLE
from backend.models.account import Account, Role, Token, TokenKind

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from uuid import UUID

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page

EVERYTHING = (Scope.READ, Scope.EVIDENCE, Scope.WRITE, Scope.ADMIN)


def make(
    session: Session,
    account_id: UUID,
    *,
    kind: TokenKind,
    name: str,
    scopes: Collection[Scope],
    lifetime: timedelta | None,
    case_id: UUID | None = None,
) -> tuple[Token, str]:
    """Return a new token and its secret, which is shown once."""
    secret = secrets.mint(kind)
    token = Token(
        account_id=account_id,
        kind=kind,
        name=name,
        prefix=secret[: secrets.SHOWN_CHARS],
        hash=secrets.digest(secret),
        scopes=sorted(scope.value for scope in scopes),
        case_id=case_id,
        expires_at=datetime.now(UTC) + lifetime if lifetime else None,
    )
    session.add(token)
    session.flush()
    session.refresh(token)
    return token, secret


def make_personal(
    session: Session,
    principal: Principal,
    *,
    name: str,
    scopes: Collection[Scope],
    lifetime: timedelta | None,
) -> tuple[Token, str]:
    """Return a new personal token of `principal` and its secret."""
    return make(session, principal.id, kind=TokenKind.API, name=name, scopes=scopes, lifetime=lifetime)


def make_service(
    session: Session, *, name: str, role: Role, scopes: Collection[Scope], lifetime: timedelta | None
) -> tuple[Token, str]:
    """Return a new token of the service `name`, created with `role` if new, and its secret.

    Raises:
        ConflictError: The name belongs to a person, or the service has another role.
    """
    account = session.scalar(select(Account).where(Account.name == name))
    if account is None:
        account = Account(name=name, role=role, is_service=True)
        session.add(account)
        session.flush()
    elif not account.is_service or account.role is not role:
        what = f"a service with the role {account.role.value}" if account.is_service else "a person"
        raise ConflictError(f"{name!r} is already {what}; choose another name")
    return make(session, account.id, kind=TokenKind.SERVICE, name=name, scopes=scopes, lifetime=lifetime)


def make_for_case(
    session: Session, principal: Principal, case_id: UUID, *, name: str, lifetime: timedelta
) -> tuple[Token, str]:
    """Return a new token that adds evidence to one case and reads nothing, and its secret."""
    return make(
        session,
        principal.id,
        kind=TokenKind.CASE,
        name=name,
        scopes=[Scope.DROP],
        lifetime=lifetime,
        case_id=case_id,
    )


def personal(session: Session, principal: Principal, page: Page = WHOLE) -> Sequence[Token]:
    """Return the active tokens of `principal`, newest first."""
    return _active(session, page, Token.account_id == principal.id, Token.kind == TokenKind.API)


def of_services(session: Session, page: Page = WHOLE) -> Sequence[Token]:
    """Return the active service tokens, newest first."""
    return _active(session, page, Token.kind == TokenKind.SERVICE)


def of_case(session: Session, case_id: UUID, page: Page = WHOLE) -> Sequence[Token]:
    """Return the active tokens of a case, newest first."""
    return _active(session, page, Token.kind == TokenKind.CASE, Token.case_id == case_id)


def of_all(session: Session) -> Sequence[Token]:
    """Return all active API tokens, newest first."""
    return _active(session, WHOLE, Token.kind.in_([TokenKind.API, TokenKind.SERVICE, TokenKind.CASE]))


def browsers(session: Session, principal: Principal, page: Page = WHOLE) -> Sequence[Token]:
    """Return the browser sessions of `principal`, newest first."""
    return _active(session, page, Token.account_id == principal.id, Token.kind == TokenKind.SESSION)


def rotate(session: Session, old: Token, *, overlap: timedelta) -> tuple[Token, str]:
    """Return a new token with the name, scopes and lifetime of `old`, which expires after `overlap`."""
    now = datetime.now(UTC)
    made, secret = make(
        session,
        old.account_id,
        kind=old.kind,
        name=old.name,
        scopes=[Scope(scope) for scope in old.scopes],
        lifetime=old.expires_at - old.created_at if old.expires_at else None,
        case_id=old.case_id,
    )
    ends = now + overlap
    old.expires_at = ends if old.expires_at is None else min(ends, old.expires_at)
    session.flush()
    return made, secret


def revoke(session: Session, token: Token) -> None:
    """Revoke `token`: refused by every process from the commit on."""
    token.revoked_at = datetime.now(UTC)
    session.flush()


def one(session: Session, token_id: UUID, among: Sequence[Token]) -> Token:
    """Return the token with the id `token_id` out of `among`.

    Raises:
        NotFoundError: None has it.
    """
    found = session.get(Token, token_id)
    if found is None or found not in among:
        raise NotFoundError(f"there is no token {token_id}")
    return found


def _active(session: Session, page: Page, *conditions: ColumnElement[bool]) -> Sequence[Token]:
    is_young = Token.expires_at.is_(None) | (Token.expires_at > datetime.now(UTC))
    query = select(Token).where(*conditions, Token.revoked_at.is_(None), is_young)
    return [token for (token,) in page.of(session, query, Token.created_at, Token.id, is_descending=True)]
