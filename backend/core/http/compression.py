"""Compression of responses, but for those that say `Cache-Control: no-transform`.

`Repr-Digest` is the digest of the representation that is sent, its content coding included.

Source: https://www.rfc-editor.org/rfc/rfc9530#section-2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware, GZipResponder

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send


class Compression(GZipMiddleware):
    """Compresses with gzip what may be transformed."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request; compress the response when the client accepts it."""
        if scope["type"] != "http" or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            await super().__call__(scope, receive, send)
            return
        responder = _Responder(
            self.app,
            self.minimum_size,
            compresslevel=self.compresslevel,
            thread_minimum_size=self.thread_minimum_size,
            exclude_content_types=self.exclude_content_types,
        )
        await responder(scope, receive, send)


class _Responder(GZipResponder):
    """Compresses one response, or forwards it."""

    is_forwarded = False

    async def send_with_compression(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            caching = Headers(raw=message.get("headers", [])).get("cache-control", "")
            self.is_forwarded = "no-transform" in caching
        if self.is_forwarded:
            await self.send(message)
        else:
            await super().send_with_compression(message)
