"""Routes of operations, without the probes outside of the API, in matching order."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.operations import routes, routes_jobs, routes_system

router = feature_router(routes.router, routes_jobs.router, routes_system.router)
