"""HEAD wherever GET is: the same request, answered with its headers and without its body.

    HEAD /healthz            200, Content-Length: 3
    HEAD /api/v1/cases/7     200, the ETag of the case

Monitors and load balancers probe by HEAD. A route of its own for HEAD, as resumable uploads have, takes
precedence. A response that streams, such as events, ends after its headers.

Source: https://www.rfc-editor.org/rfc/rfc9110#name-head
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from starlette.routing import Match

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadRequests:
    """Forwards HEAD as GET where only GET has a route, and sends no body."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request."""
        if scope["type"] != "http" or scope["method"] != "HEAD" or not _is_got(scope):
            await self.app(scope, receive, send)
            return
        got = {**scope, "method": "GET"}
        with anyio.CancelScope() as request:

            async def send_head(message: Message) -> None:
                if message["type"] != "http.response.body":
                    scope["route"] = got.get("route")
                    await send(message)
                elif message.get("more_body", False):
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
                    request.cancel()
                else:
                    await send({**message, "body": b""})

            await self.app(got, receive, send_head)


def _is_got(scope: Scope) -> bool:
    """Return whether the first route of the path has GET and no HEAD."""
    got = {**scope, "method": "GET"}
    for route in scope["app"].router.routes:
        if route.matches(scope)[0] is Match.FULL:
            return False
        if route.matches(got)[0] is Match.FULL:
            return True
    return False
