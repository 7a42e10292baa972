"""Tokens for programs: of a person, a service, or one case to send evidence to; made, rotated, revoked."""

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
    """Return a new token and its secret, which is not told again."""
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
    """Return a new token of `principal` and its secret."""
    return make(session, principal.id, kind=TokenKind.API, name=name, scopes=scopes, lifetime=lifetime)


def make_service(
    session: Session, *, name: str, role: Role, scopes: Collection[Scope], lifetime: timedelta | None
) -> tuple[Token, str]:
    """Return a new token of the service called `name`, made with `role` when there is none, and its secret.

    Raises:
        ConflictError: The name is a person's, or the service has another role.
    """
    account = session.scalar(select(Account).where(Account.name == name))
    if account is None:
        account = Account(name=name, role=role, is_service=True)
        session.add(account)
        session.flush()
    elif not account.is_service or account.role is not role:
        what = f"a service with the role {account.role.value}" if account.is_service else "a person"
        raise ConflictError(f"{name!r} is {what} already; choose another name")
    return make(session, account.id, kind=TokenKind.SERVICE, name=name, scopes=scopes, lifetime=lifetime)


def make_for_case(
    session: Session, principal: Principal, case_id: UUID, *, name: str, lifetime: timedelta
) -> tuple[Token, str]:
    """Return a new token that sends evidence to one case and reads nothing, and its secret."""
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
    """Return the tokens of `principal` that hold, newest first."""
    return _held(session, page, Token.account_id == principal.id, Token.kind == TokenKind.API)


def of_services(session: Session, page: Page = WHOLE) -> Sequence[Token]:
    """Return the tokens of services that hold, newest first."""
    return _held(session, page, Token.kind == TokenKind.SERVICE)


def of_case(session: Session, case_id: UUID, page: Page = WHOLE) -> Sequence[Token]:
    """Return the tokens that send evidence to a case, newest first."""
    return _held(session, page, Token.kind == TokenKind.CASE, Token.case_id == case_id)


def of_everybody(session: Session) -> Sequence[Token]:
    """Return all tokens for programs that hold, newest first."""
    return _held(session, WHOLE, Token.kind.in_([TokenKind.API, TokenKind.SERVICE, TokenKind.CASE]))


def browsers(session: Session, principal: Principal, page: Page = WHOLE) -> Sequence[Token]:
    """Return the browser sessions of `principal`, newest first."""
    return _held(session, page, Token.account_id == principal.id, Token.kind == TokenKind.SESSION)


def rotate(session: Session, old: Token, *, overlap: timedelta) -> tuple[Token, str]:
    """Return a successor of `old` with its name, scopes and lifetime; `old` ends after `overlap`."""
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
    """End `token`: refused everywhere from the commit on."""
    token.revoked_at = datetime.now(UTC)
    session.flush()


def one(session: Session, token_id: UUID, among: Sequence[Token]) -> Token:
    """Return the one of `among` that `token_id` names.

    Raises:
        NotFoundError: It is none of them.
    """
    found = session.get(Token, token_id)
    if found is None or found not in among:
        raise NotFoundError(f"there is no token {token_id}")
    return found


def _held(session: Session, page: Page, *conditions: ColumnElement[bool]) -> Sequence[Token]:
    is_young = Token.expires_at.is_(None) | (Token.expires_at > datetime.now(UTC))
    query = select(Token).where(*conditions, Token.revoked_at.is_(None), is_young)
    return [token for (token,) in page.of(session, query, Token.created_at, Token.id, is_descending=True)]
