"""Cooperative parsing: request heads are parsed in turns of a few milliseconds.

    turns = Turns()
    turns.add(protocol.parse)        # runs soon, in the order added

asyncio runs every ready callback before it polls its sockets again. When hundreds of connections send a
request at once, parsing all of them would block the loop for half a second.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SLICE_SECONDS = 0.003
"""Time limit of one turn; it parses at least one head."""


class Turns:
    """Callbacks spread over turns of the running event loop, in order."""

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: deque[Callable[[], None]] = deque()

    def add(self, work: Callable[[], None]) -> None:
        """Call `work` soon."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._run)
        self._waiting.append(work)

    def _run(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS
        try:
            while self._waiting:
                self._waiting.popleft()()
                if time.perf_counter() > until:
                    return
        finally:
            if self._waiting:
                asyncio.get_running_loop().call_soon(self._run)
