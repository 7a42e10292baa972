"""Routes of accounts, in matching order."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.accounts import (
    routes,
    routes_audit,
    routes_members,
    routes_oidc,
    routes_passkeys,
    routes_passwords,
    routes_tokens,
)

router = feature_router(
    routes.router,
    routes_audit.router,
    routes_members.router,
    routes_oidc.router,
    routes_passkeys.router,
    routes_passwords.router,
    routes_tokens.router,
)
