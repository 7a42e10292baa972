"""The HTTP server: uvicorn, with an end to connections that bring or take nothing.

uvicorn waits for ever for the head of a request, and answers one it cannot read with plain text. Here the
head has 20 seconds and 64 KiB; a body that goes on after its answer has 10 seconds more; a peer that takes
nothing of what is sent is dropped by the kernel after a minute.

Processes that share a listening socket take a few connections at a time, so that one of them does not take
all of a burst while the others have nothing to do.

Source: https://man7.org/linux/man-pages/man7/tcp.7.html (TCP_USER_TIMEOUT)
"""

from __future__ import annotations

import gc
import os
import resource
import socket
import sys
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from backend.core.http.problem_pages import type_of
from backend.core.http.problems import Problem
from backend.core.http.security_headers import HEADERS
from backend.core.http.turns import Turns

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from starlette.types import ASGIApp

BACKLOG = 4096
"""Connections that the kernel keeps until a process takes them; it may keep less (`net.core.somaxconn`)."""

ACCEPTS_AT_ONCE = 16
"""Connections that a process takes in one turn of its event loop."""

SWITCH_SECONDS = 0.0002
"""How long a thread computes before another one may: the event loop waits for so much of each busy thread."""

MAX_HEAD_BYTES = 64 << 10
"""Read at most; what is shorter and still too long gets an answer that names the limit."""

MAX_HEAD_LINES = 200
"""Headers cost more by their number than by their length; `backend.core.http.request_limits` allows 100 of
them.
"""

SMALL_READ_BYTES = 8 << 10
LARGE_READ_BYTES = 256 << 10
"""What is read at once; all of it is parsed before anything else runs, and 8 KiB may be 1,300 chunks."""

HEALTH = (b"GET /healthz ", b"GET /api/v1/health ", b"GET /readyz ")
"""How the heads begin that wait for no turn."""

TOO_MANY_LINES = f"the head of a request may have {MAX_HEAD_LINES} lines"
TOO_LONG = f"the head of a request may have {MAX_HEAD_BYTES:,} bytes"
UNREADABLE = "this is not a request that HTTP/1.1 knows"
TOO_SLOW = "the head of the request did not come in time"


class Config(uvicorn.Config):
    """How uvicorn serves.

    Attributes:
        turns: Taken by all connections of a server together.
    """

    def __init__(self, app: ASGIApp, **details: Any) -> None:
        """Serve `app`; `details` are uvicorn's own options."""
        super().__init__(app, **details)
        self.turns = Turns()


class Protocol(H11Protocol):
    """One connection.

    Attributes:
        head_seconds: How long the head of a request may take, from the first byte or the connection on.
        linger_seconds: How long a body may go on after its answer was sent.
        stalled_seconds: How long the peer may take nothing while something is to be sent.
    """

    head_seconds = 20.0
    linger_seconds = 10.0
    stalled_seconds = 60.0

    config: Config
    _deadline: asyncio.TimerHandle | None = None
    _waits_for_turn = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        peer = transport.get_extra_info("socket")
        if peer is not None and peer.family in {socket.AF_INET, socket.AF_INET6}:
            milliseconds = int(self.stalled_seconds * 1000)
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
        self._read_at_most(SMALL_READ_BYTES)
        self._wait(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes; heads are parsed in turn, except those of whoever asks whether the service is alive."""
        if self._waits_for_turn or (self.conn.their_state is h11.IDLE and not data.startswith(HEALTH)):
            self._unset_keepalive_if_required()
            self.conn.receive_data(data)
            if not self._waits_for_turn:
                self._waits_for_turn = True
                self.config.turns.add(self._take_turn)
        else:
            super().data_received(data)
            self._wait_for_more()

    def _take_turn(self) -> None:
        self._waits_for_turn = False
        if not self.transport.is_closing():
            self.handle_events()
            self._wait_for_more()

    def _wait_for_more(self) -> None:
        """Whoever has sent a whole head is no longer waited for."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait(None)
        elif self._deadline is None and not self.transport.is_closing():
            self._wait(self.head_seconds)

    def handle_events(self) -> None:
        """Parse what came, unless it is a head with too many lines."""
        if self.conn.their_state is h11.IDLE and _lines(self.conn.trailing_data[0]) > MAX_HEAD_LINES:
            self._refuse(431, "HeadersTooLarge", TOO_MANY_LINES)
            return
        super().handle_events()
        # Of a chunked body nothing whole waits but lines of its trailer, parsed together at the end.
        if self.conn.their_state is h11.SEND_BODY and _lines(self.conn.trailing_data[0]) > MAX_HEAD_LINES:
            self.transport.close()
            return
        has_plain_body = self.conn.their_state is h11.SEND_BODY and not any(
            name == b"transfer-encoding" for name, _ in self.headers
        )
        self._read_at_most(LARGE_READ_BYTES if has_plain_body else SMALL_READ_BYTES)

    def on_response_complete(self) -> None:
        """Go on to the next request, or let the rest of a refused body run out."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and not self.transport.is_closing():
            self._wait(self.linger_seconds)

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be read with a problem document, and close; `msg` is uvicorn's word for it."""
        error = sys.exception()
        if isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431:
            self._refuse(431, "HeadersTooLarge", TOO_LONG)
        else:
            self._refuse(400, "MalformedRequest", f"{UNREADABLE}: {error or msg}")

    def _read_at_most(self, size: int) -> None:
        """Read `size` bytes at once from now on; asyncio keeps that as an attribute of its transports."""
        self.transport.max_size = size  # type: ignore[attr-defined]

    def _wait(self, seconds: float | None) -> None:
        """Close the connection in `seconds`, or, when None, not at all."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._is_too_late)

    def _is_too_late(self) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            self._refuse(408, "RequestTooSlow", TOO_SLOW)
        else:
            self.transport.close()

    def _refuse(self, status: int, code: str, detail: str) -> None:
        """Send a problem document without a request to speak of, and close."""
        title = HTTPStatus(status).phrase
        problem = Problem(
            type=type_of(code), title=title, status=status, detail=detail, code=code, instance="/"
        )
        content = problem.model_dump_json(exclude_none=True).encode()
        stated = {
            **HEADERS,
            "Content-Type": "application/problem+json",
            "Content-Length": str(len(content)),
            "Cache-Control": "no-store",
            "Connection": "close",
        }
        headers = [(name.lower().encode(), value.encode()) for name, value in stated.items()]
        for event in (
            h11.Response(status_code=status, headers=headers, reason=title.encode()),
            h11.Data(data=content),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def _lines(waiting: bytes) -> int:
    """Return how many lines the head or trailer has that `waiting` begins with, whole or not."""
    ends = [end for end in (waiting.find(b"\n\r\n"), waiting.find(b"\n\n")) if end >= 0]
    return waiting.count(b"\n", 0, min(ends, default=len(waiting)))


class Server(uvicorn.Server):
    """uvicorn's server, for a socket that other processes may listen on too."""

    def __init__(
        self,
        config: Config,
        *,
        on_started: Callable[[], None] = lambda: None,
        end_streams: Callable[[], None] = lambda: None,
    ) -> None:
        """Serve as `config` says; `end_streams` ends answers that would go on for ever, when it stops."""
        super().__init__(config)
        self._on_started = on_started
        self._end_streams = end_streams

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        # asyncio has one number for both: what it takes in one turn, and what the kernel keeps.
        for server in self.servers:
            for listener in server.sockets:
                # What asyncio shows of it cannot listen; its descriptor can.
                with socket.socket(fileno=os.dup(listener.fileno())) as own:
                    own.listen(BACKLOG)
        self._on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, wait for the other answers, and stop."""
        self._end_streams()
        await super().shutdown(sockets)


def freeze_objects() -> None:
    """Take what lives now out of garbage collection: it holds all threads, 0.3 s for a million objects."""
    gc.collect()
    gc.freeze()


def prepare_process() -> None:
    """Set what holds for a process that serves: as many open files as it may have, short turns of threads."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    sys.setswitchinterval(SWITCH_SECONDS)


def config(app: ASGIApp, *, protocol: type[Protocol] = Protocol, **details: Any) -> Config:
    """Return how uvicorn serves `app`; `details` are its own options."""
    return Config(
        app,
        backlog=ACCEPTS_AT_ONCE,
        http=protocol,
        ws="none",
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        server_header=False,
        **details,
    )
