"""Routes of search."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.search import routes

router = feature_router(routes.router)
