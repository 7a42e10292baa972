"""A TCP proxy whose target changes while clients connect, in place of the proxy of an installation.

Without a target it answers 503 with `Retry-After`, as the proxy of `docker/` does while no API is there.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

CHUNK_BYTES = 65_536
AWAY = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Switch:
    """Listens on a free port of loopback, and forwards each new connection to `target`."""

    def __init__(self, target: int) -> None:
        """Forward to the port `target`."""
        self.target: int | None = target
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._forward, args=(client, self.target), daemon=True).start()

    @staticmethod
    def _forward(client: socket.socket, port: int | None) -> None:
        if port is None:
            _refuse(client)
            return
        try:
            server = socket.create_connection(("127.0.0.1", port), timeout=10)
        except OSError:
            client.close()
            return
        server.settimeout(None)
        back = threading.Thread(target=_copy, args=(server, client), daemon=True)
        back.start()
        _copy(client, server)
        back.join()
        client.close()
        server.close()


def _refuse(client: socket.socket) -> None:
    """Answer 503, and read what the client still sends, so that it reads the answer."""
    client.settimeout(10)
    with suppress(OSError):
        client.recv(CHUNK_BYTES)
        client.sendall(AWAY)
        client.shutdown(socket.SHUT_WR)
        while client.recv(CHUNK_BYTES):
            pass
    client.close()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(CHUNK_BYTES):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
