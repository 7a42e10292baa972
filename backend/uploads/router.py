"""Routes of uploads, in matching order."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.uploads import routes, routes_drop

router = feature_router(routes.router, routes_drop.router)
