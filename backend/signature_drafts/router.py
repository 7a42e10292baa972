"""Routes of signature drafts."""

from __future__ import annotations

from backend.access.declarations import feature_router
from backend.signature_drafts import routes

router = feature_router(routes.router)
