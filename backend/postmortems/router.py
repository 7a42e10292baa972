"""Routes of postmortems."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.postmortems import routes, routes_incident

router = feature_router(routes.router, routes_incident.router)
