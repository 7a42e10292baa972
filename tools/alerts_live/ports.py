"""Free ports, waiting with a limit, and output."""

from __future__ import annotations

import socket
import sys
import time
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from collections.abc import Callable


def free_port() -> int:
    """Return a port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def until(holds: Callable[[], bool], *, seconds: float = 60.0) -> float:
    """Wait until `holds`, and return how many seconds it took.

    Raises:
        TimeoutError: It does not within `seconds`.
    """
    began = time.monotonic()
    while True:
        try:
            if holds():
                return time.monotonic() - began
        except httpx.TransportError:
            pass
        if time.monotonic() - began > seconds:
            raise TimeoutError(f"not within {seconds:g} s")
        time.sleep(0.3)


def say(text: str) -> None:
    """Print one line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
