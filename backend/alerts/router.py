"""Routes of alerts."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.alerts import routes

router = feature_router(routes.router)
