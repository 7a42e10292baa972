"""Coming in by an OpenID Connect provider: leave, come back in the same browser, be known again."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from backend.access.secrets import digest
from backend.core.errors import AccountDisabledError, LoginExpiredError
from backend.models.account import Account
from backend.models.oidc_flow import OidcFlow

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.accounts.provider import Claims, Provider
    from backend.models.account import Role

LIFETIME = timedelta(minutes=10)
SECRET_BYTES = 32
MAX_NAME_CHARS = 70
STRANGE = re.compile(r"[^\w.@+\- ]")


@dataclass(frozen=True, slots=True)
class Departure:
    """Where a browser is sent, and the cookie by which it is known when it comes back."""

    url: str
    browser: str


def leave(session: Session, provider: Provider, *, redirect_uri: str, leads_to: str) -> Departure:
    """Begin a way to the provider and back.

    Raises:
        UnavailableError: The provider does not answer.
    """
    state, browser, nonce, verifier = (secrets.token_urlsafe(SECRET_BYTES) for _ in range(4))
    session.execute(delete(OidcFlow).where(OidcFlow.created_at < datetime.now(UTC) - LIFETIME))
    session.add(
        OidcFlow(
            state_hash=digest(state),
            browser_hash=digest(browser),
            nonce=nonce,
            verifier=verifier,
            leads_to=leads_to if re.match(r"^/(?![/\\])", leads_to) else "/",
        )
    )
    session.flush()
    url = provider.authorization_url(redirect_uri=redirect_uri, state=state, nonce=nonce, verifier=verifier)
    return Departure(url, browser)


def come_back(
    session: Session,
    provider: Provider,
    role: Role,
    *,
    redirect_uri: str,
    code: str,
    state: str,
    browser: str,
) -> tuple[UUID, str]:
    """Return whose account it is, made with `role` at the first time, and the page to open.

    Raises:
        LoginExpiredError: It is not the browser that left, or it took too long.
        InvalidIdTokenError: The provider refuses the code, or its proof does not hold.
        AccountDisabledError: An admin keeps this account out.
        UnavailableError: The provider does not answer.
    """
    flow = session.execute(
        delete(OidcFlow)
        .where(
            OidcFlow.state_hash == digest(state),
            OidcFlow.browser_hash == digest(browser),
            OidcFlow.created_at > datetime.now(UTC) - LIFETIME,
        )
        .returning(OidcFlow.nonce, OidcFlow.verifier, OidcFlow.leads_to)
    ).one_or_none()
    if flow is None:
        raise LoginExpiredError("this way in was used, took too long, or began in another browser")
    nonce, verifier, leads_to = flow
    claims = provider.claims_of(code, redirect_uri=redirect_uri, nonce=nonce, verifier=verifier)
    account = _account(session, claims, role)
    if account.disabled_at is not None:
        raise AccountDisabledError("this account is kept out; ask an admin")
    return account.id, leads_to


def _account(session: Session, claims: Claims, role: Role) -> Account:
    """Return the account of a subject; a name that is taken is never taken over."""
    known = session.scalar(
        select(Account).where(Account.oidc_issuer == claims.issuer, Account.oidc_subject == claims.subject)
    )
    if known is not None:
        return known
    wanted = STRANGE.sub("", claims.name).strip()[:MAX_NAME_CHARS] or "member"
    taken = set(session.scalars(select(Account.name).where(Account.name.startswith(wanted, autoescape=True))))
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    made = Account(name=name, role=role, oidc_issuer=claims.issuer, oidc_subject=claims.subject)
    session.add(made)
    session.flush()
    return made
