"""Routes of cases, in matching order."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.cases import routes, routes_access, routes_bulk, routes_events, routes_table, routes_tokens

router = feature_router(
    routes.router,
    routes_table.router,
    routes_bulk.router,
    routes_access.router,
    routes_events.router,
    routes_tokens.router,
)
