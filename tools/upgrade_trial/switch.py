"""A TCP proxy whose target changes while clients connect, in place of the proxy of an installation."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

CHUNK_BYTES = 65_536


class Switch:
    """Listens on a free port of loopback, and forwards each new connection to `target`."""

    def __init__(self, target: int) -> None:
        """Forward to the port `target`."""
        self.target = target
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
    def _forward(client: socket.socket, port: int) -> None:
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


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(CHUNK_BYTES):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
