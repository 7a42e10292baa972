"""Request limits: URL, headers, body, and the time to send them.

    URL          8 KiB             414
    headers      100, 32 KiB       431
    body         1 MiB             413   routes that stream to disk have limits of their own
    a paste      2 × CASEBOOK_MAX_PASTE_BYTES more, since JSON escapes control characters;
                              2 × CASEBOOK_GUEST_MAX_BYTES for guests
    alerts       8 MiB             413   a group of 10,000
    idle         60 s              408
    speed        1 KiB/s on average, after the first minute    408

A body is counted as it arrives, so a false or missing Content-Length has no effect. Time and size of the
request head are limited by `backend.core.http.server`.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from backend.core.errors import CasebookError
from backend.core.http import problems
from backend.core.http.slots import released

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_TARGET_BYTES = 8 << 10
MAX_HEADERS = 100
MAX_HEADER_BYTES = 32 << 10
MAX_BODY_BYTES = 1 << 20
PIECE_BYTES = 1 << 20
PASTE = "/paste"
GUEST_PASTE = "/guest/paste"
ALERTS = "/api/v1/alerts/"
MAX_ALERTS_BYTES = 8 << 20
BODY_SCOPE_KEY = "casebook.body"


# FastAPI re-raises an HTTPException where it would turn any other into a 400.
class BodyTooLargeError(CasebookError, HTTPException):
    """The request body exceeds the limit of this URL."""

    status = 413

    def __init__(self, max_bytes: int, remedy: str) -> None:
        """Set the limit, and what to do."""
        detail = f"the request body exceeds {max_bytes:,} bytes; {remedy}"
        HTTPException.__init__(self, self.status, detail)

    def __str__(self) -> str:
        """Return the message for the client."""
        return self.detail


class BodyTooSlowError(CasebookError, HTTPException):
    """The request body stalled, or arrives below the minimum speed."""

    status = 408

    def __init__(self) -> None:
        """Set the message."""
        HTTPException.__init__(self, self.status, "the request body stalled; send the request again")

    def __str__(self) -> str:
        """Return the message for the client."""
        return self.detail


class RequestLimits:
    """Enforces the limits of the request head first, and those of the body as it arrives.

    Attributes:
        silence_seconds: Longest gap while the body is received.
        least_bytes_per_second: Minimum average speed of a body after `silence_seconds`.
    """

    silence_seconds = 60.0
    least_bytes_per_second = 1024.0

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or refuse it with the exceeded limit."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = _refusal(scope)
        if refusal is not None:
            status, code, detail = refusal
            request = Request(scope)
            answer = problems.respond(request, status, code, detail, headers={"Connection": "close"})
            await answer(scope, receive, send)
            return
        body = Body(scope, receive, self.silence_seconds, self.least_bytes_per_second)
        scope[BODY_SCOPE_KEY] = body

        async def send_response(message: Message) -> None:
            body.end()
            await send(message)

        await self.app(scope, body.receive, send_response)


class Body:
    """The body of one request while it is received.

    Attributes:
        max_bytes: Its limit; None when the route has its own.
    """

    def __init__(self, scope: Scope, receive: Receive, silence_seconds: float, least_speed: float) -> None:
        """Limit the body from `receive`, by the path of `scope`."""
        settings = scope["app"].state.settings
        is_paste = scope["path"].endswith(PASTE)
        pasted = settings.guest_max_bytes if scope["path"].endswith(GUEST_PASTE) else settings.max_paste_bytes
        self.max_bytes: int | None = MAX_BODY_BYTES + is_paste * 2 * pasted
        self._remedy = "send evidence as a file"
        if scope["path"].startswith(ALERTS):
            self.max_bytes = MAX_ALERTS_BYTES
            self._remedy = "send fewer alerts at once (`max_alerts` of the webhook in Alertmanager)"
        self._has_ended = False
        self._declared_bytes = _declared_bytes(scope)
        self._receive = receive
        self._silence_seconds = silence_seconds
        self._least_speed = least_speed
        self._received_bytes = 0
        self._began_at = 0.0

    async def receive(self) -> Message:
        """Return the next message.

        Raises:
            BodyTooLargeError: Over the limit; raised before any read when Content-Length exceeds it.
            BodyTooSlowError: No bytes arrived in time.
        """
        if self.has_ended():
            return await self._receive()
        self._refuse_beyond(self._declared_bytes)
        self._began_at = self._began_at or time.monotonic()
        earned_seconds = self._silence_seconds + self._received_bytes / self._least_speed
        remaining_seconds = self._began_at + earned_seconds - time.monotonic()
        try:
            async with asyncio.timeout(min(self._silence_seconds, max(remaining_seconds, 0.0))):
                message = await self._receive()
        except TimeoutError:
            if self.has_ended():
                return await self._receive()
            raise BodyTooSlowError from None
        self._received_bytes += len(message.get("body", b""))
        self._refuse_beyond(self._received_bytes)
        self._has_ended = not message.get("more_body", False)
        return message

    def has_ended(self) -> bool:
        """Return whether the body is complete, or the response has begun."""
        return self._has_ended

    def end(self) -> None:
        """Stop enforcing the limits: the response has begun."""
        self._has_ended = True

    def _refuse_beyond(self, size_bytes: int) -> None:
        if self.max_bytes is not None and size_bytes > self.max_bytes:
            raise BodyTooLargeError(self.max_bytes, self._remedy)


async def streamed(request: Request) -> AsyncIterator[bytes]:
    """Yield the body in large chunks as it arrives, without a limit: the caller has its own.

    Received bytes are yielded before an error is raised.

    Raises:
        ClientDisconnect: The connection closed.
        BodyTooSlowError: The body stalled.
    """
    body: Body = request.scope[BODY_SCOPE_KEY]
    body.max_bytes = None
    stream = request.stream()
    while True:
        pieces: list[bytes] = []
        waiting_bytes = 0
        broken: ClientDisconnect | BodyTooSlowError | None = None
        # Waiting for bytes needs no thread or connection, so the slot is released meanwhile.
        async with released(request.scope):
            try:
                while waiting_bytes < PIECE_BYTES and (piece := await anext(stream, None)) is not None:
                    pieces.append(piece)
                    waiting_bytes += len(piece)
            except (ClientDisconnect, BodyTooSlowError) as error:
                broken = error
        if waiting_bytes or broken:
            yield b"".join(pieces)
        if broken:
            raise broken
        if waiting_bytes < PIECE_BYTES:
            return


def _declared_bytes(scope: Scope) -> int:
    stated = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(stated[0]) if stated and stated[0].isdigit() else 0


def _refusal(scope: Scope) -> tuple[int, str, str] | None:
    """Return status, code and message when the request head exceeds a limit."""
    target_bytes = len(scope["raw_path"]) + len(scope["query_string"]) + 1
    if target_bytes > MAX_TARGET_BYTES:
        return (
            414,
            "AddressTooLong",
            f"URL too long ({target_bytes:,} bytes, limit: {MAX_TARGET_BYTES:,} bytes)",
        )
    header_bytes = sum(len(name) + len(value) for name, value in scope["headers"])
    if len(scope["headers"]) > MAX_HEADERS or header_bytes > MAX_HEADER_BYTES:
        return (
            431,
            "HeadersTooLarge",
            f"headers too many or too long (limits: {MAX_HEADERS} headers, {MAX_HEADER_BYTES:,} bytes)",
        )
    return None
