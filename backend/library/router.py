"""Routes of the library."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.library import routes, routes_lines

router = feature_router(routes.router, routes_lines.router)
