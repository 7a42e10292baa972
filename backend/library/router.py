"""Routes of the library."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.library import routes

router = feature_router(routes.router)
