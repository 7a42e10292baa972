"""Routes of retro-hunts."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.hunts import routes

router = feature_router(routes.router)
