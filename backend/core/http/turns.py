"""Short turns of the event loop: heads of requests are parsed for a few milliseconds at a time.

    turns = Turns()
    turns.add(protocol.parse)        # runs soon, after what was added before

asyncio calls everything that is ready before it looks at its sockets again. When hundreds of connections send
a request at once, parsing all of them is one turn of half a second, and nothing else is answered meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SLICE_SECONDS = 0.003
"""How long one turn parses; at least one head."""


class Turns:
    """Work that is spread over the turns of the running event loop, in the order in which it came."""

    def __init__(self) -> None:
        """Begin without work."""
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
