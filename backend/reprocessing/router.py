"""Routes of reprocessing."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.reprocessing import routes

router = feature_router(routes.router)
