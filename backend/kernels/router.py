"""Routes of kernels."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.kernels import routes, routes_inventory

router = feature_router(routes.router, routes_inventory.router)
