"""Counts and times of requests, by route: what `/metrics` says about the web application.

    casebook_http_requests_total{method="GET",route="/api/v1/cases/{case_id}",status="200"} 17
    casebook_http_request_seconds_bucket{method="GET",route="/api/v1/cases/{case_id}",le="0.1"} 16
    casebook_http_refused_total{reason="Overloaded"} 3

A route is the template of its path: a path would name cases, and make a series of each. Processes that serve
one socket share the files of `PROMETHEUS_MULTIPROC_DIR`, and any of them answers for all.

Source: https://prometheus.io/docs/practices/naming/
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.multiprocess import MultiProcessCollector

from backend.core import layout

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
REASONS = {
    413: "BodyTooLarge",
    415: "WrongContent",
    429: "TooManyRequests",
    503: "Overloaded",
    507: "NoSpace",
}
"""What was refused for want of room or rate, by status; other errors are those of a client."""

disable_created_metrics()  # type: ignore[no-untyped-call]
_OWN = CollectorRegistry()
REQUESTS = Counter(
    "casebook_http_requests", "Answered requests.", ("method", "route", "status"), registry=_OWN
)
DURATIONS = Histogram(
    "casebook_http_request_seconds",
    "Seconds until a response began.",
    ("method", "route"),
    buckets=SECONDS,
    registry=_OWN,
)
REFUSED = Counter(
    "casebook_http_refused", "Requests that were refused, by reason.", ("reason",), registry=_OWN
)


def registry() -> CollectorRegistry:
    """Return the registry of these metrics: those of all processes where they share a directory."""
    if not os.environ.get(layout.SHARED_METRICS):
        return _OWN
    shared = CollectorRegistry()
    MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
    return shared


class RequestMetrics:
    """Counts every request when its response begins."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                _count(scope, message["status"], time.perf_counter() - began)
            await send(message)

        await self.app(scope, receive, send_counted)


def _count(scope: Scope, status: int, seconds: float) -> None:
    method = scope["method"] if scope["method"] in METHODS else OTHER
    route = getattr(scope.get("route"), "path", None) or OTHER
    REQUESTS.labels(method, route, str(status)).inc()
    DURATIONS.labels(method, route).observe(seconds)
    if status in REASONS:
        REFUSED.labels(REASONS[status]).inc()
