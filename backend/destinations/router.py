"""Routes of destinations."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.destinations import routes

router = feature_router(routes.router)
