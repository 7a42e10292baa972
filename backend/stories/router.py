"""Routes of stories, in matching order."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.stories import routes, routes_drafts

router = feature_router(routes_drafts.router, routes.router)
