"""Routes of proposed signatures."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.proposals import routes

router = feature_router(routes.router)
