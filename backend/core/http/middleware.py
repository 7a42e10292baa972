"""The middleware around the whole application, outside of Starlette's own error handler.

Order: metrics, request id, forwarded headers, security headers, allowed hosts, HEAD as GET, request limits,
rate limits, the wait for a migration, admission. Everything sees the client behind a trusted proxy, and a
sender over its rate takes no place in the admission queue.

Starlette places its handler of unexpected exceptions around all middleware added to an application, so a
header added there would be missing from a 500.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.http.admission import AdmissionControl
from backend.core.http.allowed_hosts import AllowedHosts
from backend.core.http.forwarded_headers import ForwardedHeaders
from backend.core.http.head_requests import HeadRequests
from backend.core.http.migration_wait import MigrationWait
from backend.core.http.rate_limits import RateLimits
from backend.core.http.request_ids import RequestIds
from backend.core.http.request_limits import RequestLimits
from backend.core.http.request_metrics import RequestMetrics
from backend.core.http.security_headers import SecurityHeaders

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp


def install(app: FastAPI) -> None:
    """Wrap `app` in these layers."""
    build_inner = app.build_middleware_stack

    def build() -> ASGIApp:
        limited = RequestLimits(RateLimits(MigrationWait(AdmissionControl(build_inner()))))
        named = RequestIds(ForwardedHeaders(SecurityHeaders(AllowedHosts(HeadRequests(limited)))))
        return RequestMetrics(named)

    app.build_middleware_stack = build  # type: ignore[method-assign]
