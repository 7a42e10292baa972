"""What every request passes first and every answer last, outside even of what answers our own bugs.

Headers, limits of one request, rates of one sender, admission: a sender over their rate takes no place in
the queue for admission.

Starlette puts what answers an unforeseen exception around all middleware that is added to an application, so
a header added there would be missing exactly when something went wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.http.admission import AdmissionControl
from backend.core.http.rate_limits import RateLimits
from backend.core.http.request_limits import RequestLimits
from backend.core.http.security_headers import SecurityHeaders

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp


def install(app: FastAPI) -> None:
    """Put headers, limits, counts and admission control around everything that `app` answers."""
    build_inner = app.build_middleware_stack

    def build() -> ASGIApp:
        return SecurityHeaders(RequestLimits(RateLimits(AdmissionControl(build_inner()))))

    app.build_middleware_stack = build  # type: ignore[method-assign]
