"""A real HTTP receiver on loopback, which answers as a test says."""

from __future__ import annotations

import http.server
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Received(NamedTuple):
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes
    method: str = "POST"


class Receiver:
    """What arrived, and how the next request is answered: status, headers and body by its number."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.answer: Callable[[int], tuple[int, dict[str, str], bytes]] = lambda _: (204, {}, b"")
        self.url = ""

    @property
    def ids(self) -> list[str]:
        return [one.headers["webhook-id"] for one in self.requests]


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.requests.append(Received(self.path, headers, body, self.command))
            status, extra, content = receiver.answer(len(receiver.requests))
            self.send_response(status)
            for name, value in extra.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            # A sender that has read enough closes the connection.
            with suppress(ConnectionError):
                self.wfile.write(content)

        def do_GET(self) -> None:
            self.do_POST()

        def do_PATCH(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
    yield receiver
    server.shutdown()
    server.server_close()
    thread.join()
