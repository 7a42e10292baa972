"""What one request may bring: address, headers, body, and the time it may take to bring them.

    address      8 KiB             414
    headers      100, 32 KiB       431
    body         1 MiB             413   a route that streams to disk counts for itself
    a paste      2 × CASEBOOK_MAX_PASTE_BYTES more, since JSON escapes what a terminal prints;
                 2 × CASEBOOK_GUEST_MAX_BYTES of whoever is not signed in
    silence      60 s              408
    speed        1 KiB/s on average, after the first minute    408

A body is counted as it comes, so a false or missing Content-Length changes nothing. The head of a request is
bounded in time and size by `backend.core.http.server`.
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
BODY_SCOPE_KEY = "casebook.body"


# The framework passes an HTTPException on where it would answer any other with 400.
class BodyTooLargeError(CasebookError, HTTPException):
    """The body holds more than this address takes."""

    status = 413

    def __init__(self, max_bytes: int) -> None:
        """Refuse more than `max_bytes`."""
        detail = f"a request to this address may hold {max_bytes:,} bytes; send evidence as a file"
        HTTPException.__init__(self, self.status, detail)

    def __str__(self) -> str:
        """Return the sentence for the sender."""
        return self.detail


class BodyTooSlowError(CasebookError, HTTPException):
    """The body stopped coming, or comes so slowly that it only holds the connection."""

    status = 408

    def __init__(self) -> None:
        """Refuse to wait."""
        HTTPException.__init__(self, self.status, "the body stopped coming; send the request again")

    def __str__(self) -> str:
        """Return the sentence for the sender."""
        return self.detail


class RequestLimits:
    """Refuses what is too long before anything else looks at it, and bounds the body as it comes.

    Attributes:
        silence_seconds: How long nothing may come while a body is awaited.
        least_bytes_per_second: What a body must bring on average once `silence_seconds` have passed.
    """

    silence_seconds = 60.0
    least_bytes_per_second = 1024.0

    def __init__(self, app: ASGIApp) -> None:
        """Stand around `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say which limit it breaks."""
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

        async def answering(message: Message) -> None:
            body.end()
            await send(message)

        await self.app(scope, body.receive, answering)


class Body:
    """The body of one request on its way in.

    Attributes:
        max_bytes: What it may hold; None when the route counts for itself.
    """

    def __init__(self, scope: Scope, receive: Receive, silence_seconds: float, least_speed: float) -> None:
        """Bound what `receive` brings, by the address of `scope`."""
        settings = scope["app"].state.settings
        is_paste = scope["path"].endswith(PASTE)
        pasted = settings.guest_max_bytes if scope["path"].endswith(GUEST_PASTE) else settings.max_paste_bytes
        self.max_bytes: int | None = MAX_BODY_BYTES + is_paste * 2 * pasted
        self._has_ended = False
        self._declared_bytes = _declared_bytes(scope)
        self._receive = receive
        self._silence_seconds = silence_seconds
        self._least_speed = least_speed
        self._received_bytes = 0
        self._began_at = 0.0

    async def receive(self) -> Message:
        """Return the next piece.

        Raises:
            BodyTooLargeError: It would be more than allowed; told before a byte is read when it was declared.
            BodyTooSlowError: None came in time.
        """
        if self.has_ended():
            return await self._receive()
        self._refuse_beyond(self._declared_bytes)
        self._began_at = self._began_at or time.monotonic()
        earned_seconds = self._silence_seconds + self._received_bytes / self._least_speed
        left_seconds = self._began_at + earned_seconds - time.monotonic()
        try:
            async with asyncio.timeout(min(self._silence_seconds, max(left_seconds, 0.0))):
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
        """Say whether nothing is waited for any more: it is complete, or the answer has begun."""
        return self._has_ended

    def end(self) -> None:
        """Wait for nothing more of it."""
        self._has_ended = True

    def _refuse_beyond(self, size_bytes: int) -> None:
        if self.max_bytes is not None and size_bytes > self.max_bytes:
            raise BodyTooLargeError(self.max_bytes)


async def streamed(request: Request) -> AsyncIterator[bytes]:
    """Yield the body in large pieces as it comes, without its limit: who writes them has one of their own.

    What came is yielded before an error is raised.

    Raises:
        ClientDisconnect: The connection broke.
        BodyTooSlowError: It fell silent.
    """
    body: Body = request.scope[BODY_SCOPE_KEY]
    body.max_bytes = None
    stream = request.stream()
    while True:
        pieces: list[bytes] = []
        waiting_bytes = 0
        broken: ClientDisconnect | BodyTooSlowError | None = None
        # Whoever waits for bytes needs no thread and no connection: others may work meanwhile.
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
    """Return status, code and sentence when the head of a request is too long."""
    target_bytes = len(scope["raw_path"]) + len(scope["query_string"]) + 1
    if target_bytes > MAX_TARGET_BYTES:
        return (
            414,
            "AddressTooLong",
            f"an address may have {MAX_TARGET_BYTES:,} bytes, this has {target_bytes:,}",
        )
    header_bytes = sum(len(name) + len(value) for name, value in scope["headers"])
    if len(scope["headers"]) > MAX_HEADERS or header_bytes > MAX_HEADER_BYTES:
        return (
            431,
            "HeadersTooLarge",
            f"a request may have {MAX_HEADERS} headers of {MAX_HEADER_BYTES:,} bytes together",
        )
    return None
