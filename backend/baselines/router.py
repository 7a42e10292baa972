"""Routes of baselines, in matching order."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.baselines import routes

router = feature_router(routes.router)
