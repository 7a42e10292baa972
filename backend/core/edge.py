"""What every request passes first and every answer last, outside even of what answers our own bugs.

Starlette puts what answers an unforeseen exception around all middleware that is added to an application, so
a header added there would be missing exactly when something went wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.headers import SecurityHeaders
from backend.core.limits import RequestLimits
from backend.core.rates import RateLimits

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp


def install(app: FastAPI) -> None:
    """Put headers, limits and counts around everything that `app` answers."""
    build_inner = app.build_middleware_stack

    def build() -> ASGIApp:
        return SecurityHeaders(RequestLimits(RateLimits(build_inner())))

    app.build_middleware_stack = build  # type: ignore[method-assign]
