"""OpenID Connect login: redirect, callback, account lookup."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from backend.access.secrets import digest
from backend.core.errors import AccountDisabledError, InvalidIdTokenError, LoginExpiredError
from backend.core.http.request_body import without_invisible
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
class LoginRedirect:
    """The redirect to the provider, and the cookie that binds the callback to this browser."""

    url: str
    browser: str


@dataclass(frozen=True, slots=True)
class Login:
    """A completed login: the account, the page to open, and when the provider authenticated the person."""

    account_id: UUID
    leads_to: str
    authenticated_at: datetime | None


def start_login(
    session: Session, provider: Provider, *, redirect_uri: str, leads_to: str, is_confirmation: bool
) -> LoginRedirect:
    """Start a login flow at the provider; `is_confirmation` has it authenticate the person anew.

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
            is_confirmation=is_confirmation,
        )
    )
    session.flush()
    url = provider.authorization_url(
        redirect_uri=redirect_uri,
        state=state,
        nonce=nonce,
        verifier=verifier,
        is_confirmation=is_confirmation,
    )
    return LoginRedirect(url, browser)


def complete_login(
    session: Session,
    provider: Provider,
    role: Role,
    *,
    redirect_uri: str,
    code: str,
    state: str,
    browser: str,
) -> Login:
    """Complete a login; the account is created with `role` at the first one.

    Raises:
        LoginExpiredError: Another browser started the flow, it was used, or it expired.
        InvalidIdTokenError: The provider refuses the code, its ID token is invalid, or the person was not
            authenticated anew as requested.
        AccountDisabledError: An admin disabled the account.
        UnavailableError: The provider does not answer.
    """
    flow = session.execute(
        delete(OidcFlow)
        .where(
            OidcFlow.state_hash == digest(state),
            OidcFlow.browser_hash == digest(browser),
            OidcFlow.created_at > datetime.now(UTC) - LIFETIME,
        )
        .returning(OidcFlow.nonce, OidcFlow.verifier, OidcFlow.leads_to, OidcFlow.is_confirmation)
    ).one_or_none()
    if flow is None:
        raise LoginExpiredError(
            "this login was used, took too long, or was started in another browser; sign in again"
        )
    nonce, verifier, leads_to, is_confirmation = flow
    claims = provider.claims_of(code, redirect_uri=redirect_uri, nonce=nonce, verifier=verifier)
    proved_at = claims.authenticated_at
    if is_confirmation and proved_at is not None and datetime.now(UTC) - proved_at > LIFETIME:
        raise InvalidIdTokenError("the login provider did not ask for your credentials again")
    account = _account(session, claims, role)
    if account.disabled_at is not None:
        raise AccountDisabledError("this account is disabled; ask an admin")
    return Login(account.id, leads_to, proved_at)


def _account(session: Session, claims: Claims, role: Role) -> Account:
    """Return the account of a subject; on a name conflict the new account gets a number."""
    account_id = session.scalar(
        select(Account).where(Account.oidc_issuer == claims.issuer, Account.oidc_subject == claims.subject)
    )
    if account_id is not None:
        return account_id
    wanted = STRANGE.sub("", without_invisible(claims.name)).strip()[:MAX_NAME_CHARS] or "member"
    taken = set(session.scalars(select(Account.name).where(Account.name.startswith(wanted, autoescape=True))))
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    made = Account(name=name, role=role, oidc_issuer=claims.issuer, oidc_subject=claims.subject)
    session.add(made)
    session.flush()
    return made
