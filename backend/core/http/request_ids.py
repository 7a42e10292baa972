"""The id of a request, in its response and in every line that the service logs about it.

    X-Request-ID: 0b6f2c1e9d3a4f57

A proxy in front may send one of its own: up to 64 letters, digits, dots, dashes and underscores. Anything
else is replaced, since it is written to the log.
"""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from backend.core import tracing
from backend.core.logs.context import REQUEST_ID

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-ID"
ID_BYTES = 8
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestIds:
    """Gives every request its id."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, and name it in its response."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sent = Headers(scope=scope).get(HEADER, "")
        request_id = sent if _ID.fullmatch(sent) else secrets.token_hex(ID_BYTES)
        token = REQUEST_ID.set(request_id)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        try:
            await self._forward(scope, receive, send_named, request_id)
        finally:
            REQUEST_ID.reset(token)

    async def _forward(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        """Trace the request as part of the trace that its `traceparent` names, and name it by its route."""
        parent = Headers(scope=scope).get(tracing.CARRIER, "")
        with tracing.span(scope["method"], parent=parent, request_id=request_id) as span:

            async def send_traced(message: Message) -> None:
                if span is not None and message["type"] == "http.response.start":
                    route = getattr(scope.get("route"), "path", "")
                    span.update_name(f"{scope['method']} {route}".strip())
                    span.set_attribute("http.response.status_code", message["status"])
                await send(message)

            await self.app(scope, receive, send if span is None else send_traced)
