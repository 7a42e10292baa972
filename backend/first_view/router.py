"""Routes of the first view."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.first_view import routes

router = feature_router(routes.router)
