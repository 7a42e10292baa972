"""Routes of handoffs, in matching order."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.handoffs import routes, routes_shared

router = feature_router(routes.router, routes_shared.router)
