"""Routes of findings, in matching order."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.findings import (
    routes,
    routes_captures,
    routes_drafts,
    routes_hosts,
    routes_issue,
    routes_labels,
    routes_phases,
    routes_waits,
)

router = feature_router(
    routes_captures.router,
    routes_drafts.router,
    routes_hosts.router,
    routes_issue.router,
    routes_labels.router,
    routes_phases.router,
    routes_waits.router,
    routes.router,
)
