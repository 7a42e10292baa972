"""Login: starts the browser session after any sign-in method, renews its secret, and audits attempts."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from backend.access import audit_trail
from backend.access.principals import by_cookie
from backend.accounts import known_devices, service
from backend.accounts.schemas import AccountRead
from backend.core.errors import CasebookError
from backend.core.http.rate_limit_keys import SESSION_COOKIE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from fastapi import Request, Response
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.settings import Settings


def start_session(
    request: Request,
    response: Response,
    session: Session,
    settings: Settings,
    account_id: UUID,
    *,
    how: str,
    authenticated_at: datetime | None = None,
) -> AccountRead:
    """Start a browser session of an authenticated account, set its cookies, and record the sign-in.

    The session that the browser had before ends. `authenticated_at` is when a provider authenticated the
    person; by default now.
    """
    if earlier := request.cookies.get(SESSION_COOKIE, ""):
        service.sign_out(session, earlier)
    lifetime = settings.session_lifetime
    client = request.headers.get("user-agent", "")
    secret = service.open_session(
        session, account_id, lifetime=lifetime, client=client, authenticated_at=authenticated_at
    )
    is_secure = _is_secure(request, settings)
    known_devices.remember(request, response, session, account_id, is_secure=is_secure)
    signed_in = by_cookie(session, secret)
    audit_trail.note_sign_in(request, session, name=signed_in.name, account_id=account_id, how=how)
    _set_cookie(response, secret, lifetime.total_seconds(), is_secure=is_secure)
    return AccountRead.model_validate(signed_in, from_attributes=True)


def renew_session(
    request: Request, response: Response, session: Session, settings: Settings, principal: Principal
) -> None:
    """Replace the secret of the browser session of `principal`, so that a stolen copy of the cookie ends.

    Raises:
        NotSignedInError: Another request did so meanwhile.
    """
    secret = service.renew_session(session, principal.token_id, request.cookies.get(SESSION_COOKIE, ""))
    ends = principal.expires_at or datetime.now(UTC) + settings.session_lifetime
    seconds = (ends - datetime.now(UTC)).total_seconds()
    _set_cookie(response, secret, seconds, is_secure=_is_secure(request, settings))


@contextmanager
def audit_refusals(request: Request, session: Session, how: str, *, name: str = "") -> Iterator[None]:
    """Record a failed sign-in in the audit log, in a transaction that holds nothing else."""
    try:
        yield
    except CasebookError:
        session.rollback()
        audit_trail.note_sign_in(request, session, name=name, account_id=None, how=how)
        session.commit()
        raise


def _is_secure(request: Request, settings: Settings) -> bool:
    return request.scope["scheme"] == "https" or settings.public_url.startswith("https://")


def _set_cookie(response: Response, secret: str, seconds: float, *, is_secure: bool) -> None:
    response.set_cookie(
        SESSION_COOKIE,
        secret,
        max_age=max(1, int(seconds)),
        httponly=True,
        samesite="lax",
        secure=is_secure,
    )
