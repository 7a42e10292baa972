"""Accounts and cases for permission tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from backend.access.principals import by_cookie
from backend.accounts import service
from backend.models import Account, Case, Role, Visibility

if TYPE_CHECKING:
    from datetime import timedelta

    from sqlalchemy.orm import Session, sessionmaker

    from backend.access.principals import Principal


def person(sessions: sessionmaker[Session], name: str, role: Role) -> Account:
    with sessions.begin() as session:
        account = Account(name=name, role=role)
        session.add(account)
        session.flush()
        session.refresh(account)
        session.expunge(account)
    return account


def case(sessions: sessionmaker[Session], title: str = "db7 stalls", **fields: object) -> Case:
    with sessions.begin() as session:
        made = Case(title=title, **{"visibility": Visibility.TEAM, **fields})
        session.add(made)
        session.flush()
        session.refresh(made)
        session.expunge(made)
    return made


def signed_in(address: str, sessions: sessionmaker[Session], account: Account) -> httpx.Client:
    """Return a browser of `account`, to be closed by whoever asked."""
    with sessions.begin() as session:
        secret = service.open_session(session, account.id, lifetime=service.SIGN_IN_LIFETIME)
    return httpx.Client(base_url=f"{address}/api/v1", cookies={"casebook_session": secret})


def sign_in(session: Session, token: str, *, lifetime: timedelta) -> tuple[Principal, str]:
    """Redeem a one-time token; return the principal and the secret of the new browser session."""
    secret = service.open_session(session, service.use_sign_in_token(session, token), lifetime=lifetime)
    return by_cookie(session, secret), secret
