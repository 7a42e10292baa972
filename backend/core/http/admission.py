"""Admission control: a request runs only when a thread and database connections are free for it.

    request                resources held                                at most in a process
    ordinary               a slot from its complete body to its response   CASEBOOK_API_THREADS
    file upload            a slot while a chunk is written               256 bodies at a time
    downloads, ?wait=      a slot while it works, none while it waits    –
    event stream           a slot until the stream begins                1,000 streams
    /healthz, /readyz      nothing                                       –

A request without a free slot waits for at most two seconds in a queue of 256, writes before reads, senders in
turn; then it is answered 503 with `Retry-After`, and nothing was done. A body is received before its request
takes a slot, so a slow client holds no thread and no connection.

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
from backend.core.http.rate_limit_keys import Sender, ValidSecrets
from backend.core.http.slots import SLOT_SCOPE_KEY, Slot, Slots, Turn

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

UNLIMITED = frozenset({"/healthz", "/readyz", "/api/v1/health"})
"""Answered before admission; these use no thread and no connection of the pool."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
STREAMED = re.compile(
    r"POST /api/v1/(cases/[^/]+/|guest/)?evidence"
    r"|POST /api/v1/drop"
    r"|PUT /api/v1/(cases/[^/]+/)?evidence/.*"
    r"|PUT /api/v1/drop/.*"
    r"|PUT /api/v1/inventories/[^/]+"
    r"|PUT /api/v1/libraries/[^/]+/archive"
    r"|PATCH /api/v1/(drop/)?uploads/[^/]+",
    re.DOTALL,
)
"""Routes that stream their body, nearly all to disk, and release their slot while they wait for it."""

LISTENS = re.compile(r"GET /api/v1/(cases/[^/]+/)?events")
OVERLOADED = "Overloaded"
BUSY = "the service is overloaded ({limit} concurrent requests); nothing was done, retry in a moment"
NO_CONNECTION = "no database connection became free in time; nothing was done, retry in a moment"
TOO_MANY_STREAMS = "{limit:,} event streams are open, the maximum; retry in a moment"
TOO_MANY_BODIES = "too many request bodies are being received; nothing was done, retry in a moment"


class Load:
    """Current load of one process."""

    def __init__(self, settings: Settings) -> None:
        """Start idle."""
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
    """Admits a request when it gets a slot, or answers 503."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app
        self._valid_secrets = ValidSecrets()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request when it gets a slot, or refuse it."""
        if scope["type"] != "http" or scope["path"] in UNLIMITED:
            await self.app(scope, receive, send)
            return
        load: Load = scope["app"].state.load
        target = f"{scope['method']} {scope['path']}"
        if LISTENS.fullmatch(target):
            if load.listeners >= capacity.MAX_LISTENERS:
                await _refuse(scope, receive, send, TOO_MANY_STREAMS.format(limit=capacity.MAX_LISTENERS))
                return
            load.listeners += 1
            try:
                await self._receive_and_enter(load, scope, receive, send, is_stream=True)
            finally:
                load.listeners -= 1
        elif STREAMED.fullmatch(target):
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
        """Receive the body, which uses memory only, then wait for a slot."""
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
        """Wait for a slot and run the request."""
        sender: Sender = scope.get(SENDER_SCOPE_KEY) or Sender(scope)
        queue_key = sender.secret if sender.secret in self._valid_secrets else sender.address
        slot = await load.slots.acquire(queue_key, _turn_of(scope["method"], is_stream=is_stream))
        if slot is None:
            await _refuse(scope, receive, send, BUSY.format(limit=load.slots.limit))
            return
        try:
            if body is not None and await body.is_disconnected():
                return
            scope[SLOT_SCOPE_KEY] = slot
            await self.app(scope, receive, _sending(slot, send, is_stream=is_stream))
            if sender.is_valid:
                self._valid_secrets.add(sender.secret)
        finally:
            slot.end()


def install(app: FastAPI) -> None:
    """Have `app` answer 503 when no connection of the pool became free in time."""
    app.add_exception_handler(PoolTimeoutError, _no_connection)


async def _no_connection(request: Request, error: Exception) -> Response:
    logger.warning("%s %s: %s", request.method, request.url.path, error)
    return problems.respond(request, 503, OVERLOADED, NO_CONNECTION, headers=_retry_headers())


class WholeBody:
    """The body of a request, received before admission."""

    def __init__(self, load: Load, receive: Receive) -> None:
        """Receive it by `receive`, counted in `load`."""
        self._load = load
        self._receive = receive
        self._pieces: list[bytes] = []
        self._size_bytes = 0
        self._error: HTTPException | None = None
        self._is_taken = False

    async def fill(self) -> bool:
        """Receive all of it; False when memory for bodies is exhausted.

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
            # Raised again when the application reads the body.
            self._error = error
            return True
        finally:
            self._load.bodies -= 1

    async def receive(self) -> Message:
        """Return the whole body at the first call, then later messages."""
        if self._error is not None:
            raise self._error
        if self._is_taken:
            return await self._receive()
        self._is_taken = True
        return {"type": "http.request", "body": b"".join(self._pieces), "more_body": False}

    async def is_disconnected(self) -> bool:
        """Return whether the client has disconnected."""
        if self._error is not None:
            return False
        message: Message = {}
        with anyio.CancelScope() as scope:
            scope.cancel()
            message = await self._receive()
        return message.get("type") == "http.disconnect"

    def forget(self) -> None:
        """Release its bytes from the count."""
        self._load.body_bytes -= self._size_bytes
        self._size_bytes = 0
        self._pieces.clear()


def _turn_of(method: str, *, is_stream: bool) -> Turn:
    if is_stream:
        return Turn.STREAM
    return Turn.READ if method in SAFE_METHODS else Turn.WRITE


def _sending(slot: Slot, send: Send, *, is_stream: bool) -> Send:
    """Return a `send` that releases the slot meanwhile: a client that reads slowly holds none."""

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
    """Answer 503; the rest of the body is not read."""
    headers = _retry_headers()
    if scope["method"] not in SAFE_METHODS:
        headers["Connection"] = "close"
    response = problems.respond(Request(scope), 503, OVERLOADED, detail, headers=headers)
    await response(scope, receive, send)


def _retry_headers() -> dict[str, str]:
    return {"Retry-After": str(capacity.RETRY_AFTER_SECONDS)}
