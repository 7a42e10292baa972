"""Routes of evidence, without the collector's script outside of the API, in matching order."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.evidence import routes, routes_drop, routes_placement, routes_receive

router = feature_router(routes_drop.router, routes_receive.router, routes_placement.router, routes.router)
