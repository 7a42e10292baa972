"""Turns of computations on evidence that clients wait for: a few at a time in one process, senders in turn.

    content = await compute(request, lambda: answer_of_request(…))

A request that waits for its turn, or for its computation, holds no slot, no thread of other requests and no
database connection, so slow views never keep a page from its rows.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

import anyio
from anyio import to_thread

from backend.core import capacity
from backend.core.errors import UnavailableError
from backend.core.http.slots import SLOT_SCOPE_KEY, Slot, Slots, Turn, released

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import Request

Result = TypeVar("Result")

COMPUTATIONS = max(2, os.cpu_count() or 2)
"""At a time in one process: more would take processors from each other."""

PATIENCE_SECONDS = 30.0
"""Longest wait for a turn; then 503."""


class Computing:
    """The computations of one process."""

    def __init__(self, limit: int = COMPUTATIONS) -> None:
        """Start with none."""
        self.turns = Slots(
            limit,
            max_waiting=capacity.QUEUE_LENGTH,
            patience_seconds=PATIENCE_SECONDS,
            stream_seconds=PATIENCE_SECONDS,
        )
        self.threads = anyio.CapacityLimiter(limit)


async def compute(request: Request, work: Callable[[], Result]) -> Result:
    """Return the result of `work`, run in a thread when it is the turn of the sender.

    The session of the request must hold no connection: commit before.

    Raises:
        UnavailableError: Too many computations wait.
    """
    computing: Computing = request.app.state.computing
    slot: Slot | None = request.scope.get(SLOT_SCOPE_KEY)
    async with released(request.scope):
        turn = await computing.turns.acquire(slot.sender if slot else "", Turn.READ)
        if turn is None:
            raise UnavailableError("too many views are being computed; nothing was done, retry in a moment")
        try:
            return await to_thread.run_sync(work, limiter=computing.threads)
        finally:
            turn.end()
