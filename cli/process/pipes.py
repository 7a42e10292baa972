"""Pipes that hold more than the kernel gives them: a program that reads beside another waits less for it."""

from __future__ import annotations

import fcntl
from contextlib import suppress
from typing import IO, Any

PIPE_BYTES = 1 << 20
"""What any user may ask for."""


def widen(stream: IO[Any] | None) -> None:
    """Let a stream hold more if it is a pipe; 100 MB come through one of 64 KiB in twice the time."""
    if stream is None:
        return
    with suppress(OSError, ValueError):
        fcntl.fcntl(stream.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
