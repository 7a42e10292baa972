"""Routes of libraries."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.libraries import routes

router = feature_router(routes.router)
