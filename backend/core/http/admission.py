"""Admission control: a request enters only when a thread and its database connections are free for it.

    request                what it holds                                 at most in a process
    ordinary               a slot from its complete body to its answer   CASEBOOK_API_THREADS
    brings a file          a slot while a piece is written               256 bodies at a time
    downloads, ?wait=      a slot while it works, none while it waits    –
    stream of events       a slot until the stream begins                1,000 streams
    /healthz, /readyz      nothing                                       –

A request with no free slot waits for at most two seconds in a queue of 256, writes before reads, its sender
in turn with the others; then it is answered 503 with `Retry-After`, and nothing was done. A body is received
before its request takes a slot, so a slow sender holds no thread and no connection.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

import anyio
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from backend.core import capacity
from backend.core.http import problems
from backend.core.http.rate_limit_keys import SCOPE_KEY as SENDER_SCOPE_KEY
from backend.core.http.rate_limit_keys import Known, Sender
from backend.core.http.slots import SLOT_SCOPE_KEY, Slot, Slots, Turn

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

UNLIMITED = frozenset({"/healthz", "/readyz", "/api/v1/health"})
"""Answered before admission; none of them uses a thread or a connection of the pool."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
STREAMED = re.compile(
    r"POST /api/v1/(cases/[^/]+/|guest/)?evidence"
    r"|POST /api/v1/drop"
    r"|PUT /api/v1/(cases/[^/]+/)?evidence/.*"
    r"|PUT /api/v1/drop/.*"
    r"|PATCH /api/v1/(drop/)?uploads/[^/]+",
    re.DOTALL,
)
"""Routes that stream their body to disk and give their slot back while they wait for it."""

LISTENS = re.compile(r"GET /api/v1/cases/[^/]+/events")
OVERLOADED = "Overloaded"
BUSY = (
    "all {limit} requests that the service does at a time are taken; nothing was done, try again in a moment"
)
NO_CONNECTION = "no connection to the database became free in time; nothing was done, try again in a moment"
TOO_MANY_STREAMS = "{limit:,} streams of events are open; try again in a moment"
TOO_MANY_BODIES = "too many requests are being received; nothing was done, try again in a moment"


class Load:
    """What one process has in hand."""

    def __init__(self, settings: Settings) -> None:
        """Begin with nothing."""
        self.slots = Slots(
            settings.api_threads,
            max_waiting=capacity.QUEUE_LENGTH,
            patience_seconds=capacity.QUEUE_SECONDS,
            stream_seconds=capacity.STREAM_QUEUE_SECONDS,
        )
        self.listeners = 0
        self.bodies = 0
        self.body_bytes = 0


class AdmissionControl:
    """Lets a request in when it finds a slot, or answers 503."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand around `app`."""
        self.app = app
        self._known = Known()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on when its turn comes, or refuse it."""
        if scope["type"] != "http" or scope["path"] in UNLIMITED:
            await self.app(scope, receive, send)
            return
        load: Load = scope["app"].state.load
        asked = f"{scope['method']} {scope['path']}"
        if LISTENS.fullmatch(asked):
            if load.listeners >= capacity.MAX_LISTENERS:
                await _refuse(scope, receive, send, TOO_MANY_STREAMS.format(limit=capacity.MAX_LISTENERS))
                return
            load.listeners += 1
            try:
                await self._receive_and_enter(load, scope, receive, send, is_stream=True)
            finally:
                load.listeners -= 1
        elif STREAMED.fullmatch(asked):
            if load.bodies >= capacity.MAX_BODIES:
                await _refuse(scope, receive, send, TOO_MANY_BODIES)
                return
            load.bodies += 1
            try:
                await self._enter(load, scope, receive, send)
            finally:
                load.bodies -= 1
        else:
            await self._receive_and_enter(load, scope, receive, send)

    async def _receive_and_enter(
        self, load: Load, scope: Scope, receive: Receive, send: Send, *, is_stream: bool = False
    ) -> None:
        """Receive the body, which holds nothing but memory, then wait for a slot."""
        body = WholeBody(load, receive)
        try:
            if not await body.fill():
                await _refuse(scope, receive, send, TOO_MANY_BODIES)
                return
            await self._enter(load, scope, body.receive, send, body=body, is_stream=is_stream)
        except ClientDisconnect:
            return
        finally:
            body.forget()

    async def _enter(
        self,
        load: Load,
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        body: WholeBody | None = None,
        is_stream: bool = False,
    ) -> None:
        """Wait for a slot and do the request with it."""
        sender: Sender = scope.get(SENDER_SCOPE_KEY) or Sender(scope)
        who = sender.secret if sender.secret in self._known else sender.address
        slot = await load.slots.acquire(who, _turn_of(scope["method"], is_stream=is_stream))
        if slot is None:
            await _refuse(scope, receive, send, BUSY.format(limit=load.slots.limit))
            return
        try:
            if body is not None and await body.has_left():
                return
            scope[SLOT_SCOPE_KEY] = slot
            await self.app(scope, receive, _sending(slot, send, is_stream=is_stream))
            if sender.holds:
                self._known.add(sender.secret)
        finally:
            slot.end()


def install(app: FastAPI) -> None:
    """Have `app` answer 503 where no connection of the pool became free in time."""
    app.add_exception_handler(PoolTimeoutError, _no_connection)


async def _no_connection(request: Request, error: Exception) -> Response:
    logger.warning("%s %s: %s", request.method, request.url.path, error)
    return problems.respond(request, 503, OVERLOADED, NO_CONNECTION, headers=_retry_headers())


class WholeBody:
    """The body of a request, received before the request enters."""

    def __init__(self, load: Load, receive: Receive) -> None:
        """Receive it from `receive`, counted in `load`."""
        self._load = load
        self._receive = receive
        self._pieces: list[bytes] = []
        self._size_bytes = 0
        self._error: HTTPException | None = None
        self._is_taken = False

    async def fill(self) -> bool:
        """Receive all of it; False when there is no room for it.

        Raises:
            ClientDisconnect: The connection broke.
        """
        if self._load.bodies >= capacity.MAX_BODIES:
            return False
        self._load.bodies += 1
        try:
            while True:
                message = await self._receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                piece = message.get("body", b"")
                self._size_bytes += len(piece)
                self._load.body_bytes += len(piece)
                self._pieces.append(piece)
                if self._load.body_bytes > capacity.MAX_BODY_MEMORY_BYTES:
                    return False
                if not message.get("more_body", False):
                    return True
        except HTTPException as error:
            # Told by the application, to who asks for the body.
            self._error = error
            return True
        finally:
            self._load.bodies -= 1

    async def receive(self) -> Message:
        """Return the whole body once, then what comes after it."""
        if self._error is not None:
            raise self._error
        if self._is_taken:
            return await self._receive()
        self._is_taken = True
        return {"type": "http.request", "body": b"".join(self._pieces), "more_body": False}

    async def has_left(self) -> bool:
        """Say whether whoever asked has closed the connection."""
        if self._error is not None:
            return False
        message: Message = {}
        with anyio.CancelScope() as scope:
            scope.cancel()
            message = await self._receive()
        return message.get("type") == "http.disconnect"

    def forget(self) -> None:
        """Count its bytes no more."""
        self._load.body_bytes -= self._size_bytes
        self._size_bytes = 0
        self._pieces.clear()


def _turn_of(method: str, *, is_stream: bool) -> Turn:
    if is_stream:
        return Turn.STREAM
    return Turn.READ if method in SAFE_METHODS else Turn.WRITE


def _sending(slot: Slot, send: Send, *, is_stream: bool) -> Send:
    """Return `send` without a slot: a peer that takes its answer slowly holds none."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            if is_stream:
                slot.end()
            await send(message)
        elif not message.get("more_body", False):
            slot.end()
            await send(message)
        else:
            slot.pause()
            try:
                await send(message)
            finally:
                await slot.resume()

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, detail: str) -> None:
    """Answer 503; the rest of a body that still comes is not read."""
    headers = _retry_headers()
    if scope["method"] not in SAFE_METHODS:
        headers["Connection"] = "close"
    answer = problems.respond(Request(scope), 503, OVERLOADED, detail, headers=headers)
    await answer(scope, receive, send)


def _retry_headers() -> dict[str, str]:
    return {"Retry-After": str(capacity.RETRY_AFTER_SECONDS)}
