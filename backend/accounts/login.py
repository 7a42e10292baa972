"""Login: starts the browser session after any sign-in method, and audits attempts."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from backend.access import audit_trail
from backend.access.principals import by_cookie
from backend.accounts import known_devices, service
from backend.accounts.schemas import AccountRead
from backend.core.errors import CasebookError
from backend.core.http.rate_limit_keys import SESSION_COOKIE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from uuid import UUID

    from fastapi import Request, Response
    from sqlalchemy.orm import Session

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

    `authenticated_at` is when a provider authenticated the person; by default now.
    """
    lifetime = settings.session_lifetime
    client = request.headers.get("user-agent", "")
    secret = service.open_session(
        session, account_id, lifetime=lifetime, client=client, authenticated_at=authenticated_at
    )
    is_secure = request.scope["scheme"] == "https" or settings.public_url.startswith("https://")
    known_devices.remember(request, response, session, account_id, is_secure=is_secure)
    signed_in = by_cookie(session, secret)
    audit_trail.note_sign_in(request, session, name=signed_in.name, account_id=account_id, how=how)
    response.set_cookie(
        SESSION_COOKIE,
        secret,
        max_age=int(lifetime.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=is_secure,
    )
    return AccountRead.model_validate(signed_in, from_attributes=True)


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
