"""Routes of profiles, in matching order."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.profiles import routes, routes_exports, routes_frames, routes_series, routes_views

router = feature_router(
    routes_exports.router, routes_frames.router, routes_series.router, routes_views.router, routes.router
)
