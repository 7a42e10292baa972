"""Routes of similar cases."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.similarity import routes, routes_seen

router = feature_router(routes.router, routes_seen.router)
