"""Routes of problems."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.problems import routes

router = feature_router(routes.router)
