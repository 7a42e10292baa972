"""The HTTP server: uvicorn with time-outs for slow and stalled connections.

uvicorn waits for a request head without limit, and answers an unreadable one with plain text. Here the head
has 20 seconds and 64 KiB; a body that continues after its response has 10 seconds more; the kernel drops a
peer that reads nothing for a minute.

Processes that share a listening socket accept a few connections at a time, so that one process does not take
a whole burst while the others are idle.

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
"""Listen backlog of the kernel; it may be smaller (`net.core.somaxconn`)."""

ACCEPTS_AT_ONCE = 16
"""Connections that a process accepts per turn of its event loop."""

SWITCH_SECONDS = 0.0002
"""Thread switch interval: the event loop waits this long for each busy thread."""

MAX_HEAD_BYTES = 64 << 10
"""Read limit; a shorter head that is too long gets a response with the limit."""

MAX_HEAD_LINES = 200
"""Parsing cost grows with the number of headers, not their length (`request_limits` allows 100)."""

SMALL_READ_BYTES = 8 << 10
LARGE_READ_BYTES = 256 << 10
"""Bytes per read; they are parsed without interruption, and 8 KiB may be 1,300 chunks."""

HEALTH = tuple(
    f"{method} {path} ".encode()
    for method in ("GET", "HEAD")
    for path in ("/healthz", "/api/v1/health", "/readyz")
)
"""Request lines of health checks, which are parsed at once."""

TOO_MANY_LINES = f"too many header lines (limit: {MAX_HEAD_LINES})"
TOO_LONG = f"headers too long (limit: {MAX_HEAD_BYTES:,} bytes)"
UNREADABLE = "not a valid HTTP/1.1 request"
IDLE_SECONDS = 75
"""A connection without a request stays so long: longer than proxies keep theirs (60 s of nginx), since a
request that meets the end of its connection gets no answer."""

TOO_SLOW = "the request headers did not arrive in time"


class Config(uvicorn.Config):
    """Configuration of uvicorn.

    Attributes:
        turns: Shared by all connections of a server.
    """

    def __init__(self, app: ASGIApp, **details: Any) -> None:
        """Serve `app`; `details` are options of uvicorn."""
        super().__init__(app, **details)
        self.turns = Turns()


class Protocol(H11Protocol):
    """One HTTP connection.

    Attributes:
        head_seconds: Time limit of a request head, from its first byte or from the connect.
        linger_seconds: Time limit of a body that continues after its response.
        stalled_seconds: Time limit of a peer that acknowledges nothing (TCP_USER_TIMEOUT).
    """

    head_seconds = 20.0
    linger_seconds = 10.0
    stalled_seconds = 60.0

    config: Config
    _deadline: asyncio.TimerHandle | None = None
    _waits_for_turn = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer of the first request head."""
        super().connection_made(transport)
        peer = transport.get_extra_info("socket")
        if peer is not None and peer.family in {socket.AF_INET, socket.AF_INET6}:
            milliseconds = int(self.stalled_seconds * 1000)
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
        self._read_at_most(SMALL_READ_BYTES)
        self._wait(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Buffer bytes; heads are parsed in turns, those of health checks at once."""
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
        """Stop the timer while a request is running; start it for the next head."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait(None)
        elif self._deadline is None and not self.transport.is_closing():
            self._wait(self.head_seconds)

    def handle_events(self) -> None:
        """Parse buffered bytes, unless they are a head with too many lines."""
        if self.conn.their_state is h11.IDLE and _lines(self.conn.trailing_data[0]) > MAX_HEAD_LINES:
            self._refuse(431, "HeadersTooLarge", TOO_MANY_LINES)
            return
        super().handle_events()
        # Only lines of a chunked body's trailer wait here; they are parsed together at the end.
        if self.conn.their_state is h11.SEND_BODY and _lines(self.conn.trailing_data[0]) > MAX_HEAD_LINES:
            self.transport.close()
            return
        has_plain_body = self.conn.their_state is h11.SEND_BODY and not any(
            name == b"transfer-encoding" for name, _ in self.headers
        )
        self._read_at_most(LARGE_READ_BYTES if has_plain_body else SMALL_READ_BYTES)

    def on_response_complete(self) -> None:
        """Continue with the next request, or limit the rest of a refused body."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and not self.transport.is_closing():
            self._wait(self.linger_seconds)

    def send_400_response(self, msg: str) -> None:
        """Answer an unreadable request with a problem document, and close; `msg` is uvicorn's text."""
        error = sys.exception()
        if isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431:
            self._refuse(431, "HeadersTooLarge", TOO_LONG)
        else:
            self._refuse(400, "MalformedRequest", f"{UNREADABLE}: {error or msg}")

    def _read_at_most(self, size: int) -> None:
        """Set the bytes per read; an attribute of asyncio's transports."""
        self.transport.max_size = size  # type: ignore[attr-defined]

    def _wait(self, seconds: float | None) -> None:
        """Close the connection in `seconds`; None cancels the timer."""
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
        """Send a problem document without a parsed request, and close."""
        title = HTTPStatus(status).phrase
        problem = Problem(
            type=type_of(code), title=title, status=status, detail=detail, code=code, instance="/"
        )
        content = problem.model_dump_json(exclude_none=True).encode()
        fields = {
            **HEADERS,
            "Content-Type": "application/problem+json",
            "Content-Length": str(len(content)),
            "Cache-Control": "no-store",
            "Connection": "close",
        }
        headers = [(name.lower().encode(), value.encode()) for name, value in fields.items()]
        for event in (
            h11.Response(status_code=status, headers=headers, reason=title.encode()),
            h11.Data(data=content),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def _lines(waiting: bytes) -> int:
    """Return the number of lines of the (partial) head or trailer at the start of `waiting`."""
    ends = [end for end in (waiting.find(b"\n\r\n"), waiting.find(b"\n\n")) if end >= 0]
    return waiting.count(b"\n", 0, min(ends, default=len(waiting)))


class Server(uvicorn.Server):
    """uvicorn's server, for a listening socket shared between processes."""

    def __init__(
        self,
        config: Config,
        *,
        on_started: Callable[[], None] = lambda: None,
        end_streams: Callable[[], None] = lambda: None,
    ) -> None:
        """Serve by `config`; `end_streams` closes endless responses at shutdown."""
        super().__init__(config)
        self._on_started = on_started
        self._end_streams = end_streams

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening."""
        await super().startup(sockets)
        # asyncio uses one number for both: connections accepted per turn, and the kernel's backlog.
        for server in self.servers:
            for listener in server.sockets:
                # asyncio's wrapper cannot listen; its descriptor can.
                with socket.socket(fileno=os.dup(listener.fileno())) as own:
                    own.listen(BACKLOG)
        self._on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the streams, wait for other responses, and stop."""
        self._end_streams()
        await super().shutdown(sockets)


def freeze_objects() -> None:
    """Exclude current objects from garbage collection, which stops all threads: 0.3 s per million objects."""
    gc.collect()
    gc.freeze()


def prepare_process() -> None:
    """Configure an API process: maximum open files, short thread switch interval."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    sys.setswitchinterval(SWITCH_SECONDS)


def config(app: ASGIApp, *, protocol: type[Protocol] = Protocol, **details: Any) -> Config:
    """Return the configuration of uvicorn for `app`; `details` are its own options."""
    return Config(
        app,
        backlog=ACCEPTS_AT_ONCE,
        http=protocol,
        ws="none",
        # `ForwardedHeaders` reads them, for proxies in the settings; uvicorn would trust all of loopback.
        proxy_headers=False,
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        server_header=False,
        timeout_keep_alive=IDLE_SECONDS,
        **details,
    )
