"""A port for a program that binds it later."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def reserved_port() -> Iterator[int]:
    """Yield a port of 127.0.0.1 that refuses connections until somebody listens on it.

    It stays bound, so that no other program gets it as a free one; servers bind it with SO_REUSEADDR.
    """
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
