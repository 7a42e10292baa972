"""Reauthentication: a change of credentials needs a person who proved lately who they are.

    @router.post("/tokens", dependencies=[needs(Action.ACCOUNT), needs_recent_sign_in()])

A stolen or forgotten browser session alone thus changes no password, authenticator or token, and creates no
account. Signing in counts for a quarter of an hour; after that the password and code are confirmed
(`POST /session/confirm`), or one signs in again. Bearer tokens have nobody to ask: their scope limits them.

Source: OWASP ASVS 5.0, V7.5.1
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import Depends

from backend.access.dependencies import PrincipalDep
from backend.access.principals import Principal
from backend.core.errors import ReauthenticationNeededError

RECENT = timedelta(minutes=15)


def require_recent_sign_in(principal: Principal) -> None:
    """Require that the person of a browser session proved lately who they are.

    Raises:
        ReauthenticationNeededError: They did not.
    """
    if principal.signed_in_by != "session":
        return
    proved_at = principal.authenticated_at
    if proved_at is None or datetime.now(UTC) - proved_at > RECENT:
        minutes = int(RECENT.total_seconds()) // 60
        raise ReauthenticationNeededError(
            f"you signed in more than {minutes} minutes ago: confirm your password, or sign in again"
        )


def _require_recent_sign_in(principal: PrincipalDep) -> None:
    require_recent_sign_in(principal)


def needs_recent_sign_in() -> Any:
    """Return the dependency by which a route requires a recent sign-in."""
    return Depends(_require_recent_sign_in)
