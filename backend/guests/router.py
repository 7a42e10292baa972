"""Routes of guests."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.guests import routes

router = feature_router(routes.router)
