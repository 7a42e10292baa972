"""Slots for concurrent requests, with a short fair queue.

    slots = Slots(12, max_waiting=256, patience_seconds=2.0)
    slot = await slots.acquire("sender", Turn.READ)          # None: refused with 503
    async with released(scope): …                            # the slot is free while the request waits

Four classes wait: requests that resume after releasing their slot, new writes, new reads, new streams. Free
slots go to the classes by weight (smooth weighted round robin), within a class to the senders in turn. New
writes may hold five eighths of the slots, so that a flood of uploads leaves some to those who look at an
incident, and new reads seven eighths. When
the queue of writes and reads is full, the sender with the most waiting reads (or writes, when no read waits)
loses its latest one; the number of streams is limited by the caller.

Source: https://github.com/phusion/nginx/commit/27e94984486058d73157038f7950a0a36ecc6e35
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict, deque
from contextlib import asynccontextmanager
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import Scope

SLOT_SCOPE_KEY = "casebook.slot"


class Turn(Enum):
    """A class of waiting requests; the value is its weight."""

    RESUME = 4
    WRITE = 3
    READ = 2
    STREAM = 1


SHARES = {Turn.WRITE: 5 / 8, Turn.READ: 7 / 8, Turn.STREAM: 7 / 8}
"""Most of the slots that new requests of a class may hold."""


class SenderQueue:
    """Waiting requests of one class, taken from their senders in turn."""

    def __init__(self) -> None:
        """Begin empty."""
        self._by_sender: OrderedDict[str, deque[asyncio.Future[bool]]] = OrderedDict()
        self.count = 0

    def add(self, sender: str, waiter: asyncio.Future[bool]) -> None:
        """Append a request of `sender`."""
        self._by_sender.setdefault(sender, deque()).append(waiter)
        self.count += 1

    def pop(self) -> asyncio.Future[bool]:
        """Remove and return the oldest request of the next sender."""
        sender, waiters = self._by_sender.popitem(last=False)
        waiter = waiters.popleft()
        if waiters:
            self._by_sender[sender] = waiters
        self.count -= 1
        return waiter

    def remove(self, sender: str, waiter: asyncio.Future[bool]) -> None:
        """Remove a request that no longer waits, if present."""
        waiters = self._by_sender.get(sender)
        if waiters is None or waiter not in waiters:
            return
        waiters.remove(waiter)
        self.count -= 1
        if not waiters:
            del self._by_sender[sender]

    def length_of(self, sender: str) -> int:
        """Return the number of waiting requests of `sender`."""
        return len(self._by_sender.get(sender, ()))

    def drop_latest_of_longest(self) -> asyncio.Future[bool]:
        """Remove and return the latest request of the sender with the most."""
        sender, waiters = max(self._by_sender.items(), key=lambda item: len(item[1]))
        waiter = waiters[-1]
        self.remove(sender, waiter)
        return waiter

    def longest(self) -> int:
        """Return the number of waiting requests of the sender with the most."""
        return max((len(waiters) for waiters in self._by_sender.values()), default=0)


class Slots:
    """At most `limit` concurrent requests; at most `max_waiting` new writes and reads wait.

    A new request waits `patience_seconds`, a stream `stream_seconds`.
    """

    def __init__(
        self, limit: int, *, max_waiting: int, patience_seconds: float, stream_seconds: float
    ) -> None:
        """Start with every slot free."""
        self.limit = limit
        self.in_use = 0
        self._most = {turn: max(1, math.ceil(limit * share)) for turn, share in SHARES.items()}
        self._held = dict.fromkeys(Turn, 0)
        self._max_waiting = max_waiting
        self._seconds = {
            Turn.WRITE: patience_seconds,
            Turn.READ: patience_seconds,
            Turn.STREAM: stream_seconds,
        }
        self._queues = {turn: SenderQueue() for turn in Turn}
        self._credit = dict.fromkeys(Turn, 0)

    @property
    def waiting(self) -> int:
        """Number of waiting new writes and reads."""
        return self._queues[Turn.WRITE].count + self._queues[Turn.READ].count

    async def acquire(self, sender: str, turn: Turn) -> Slot | None:
        """Return a slot for a new request of `sender`; None when it is refused."""
        if self._is_open(turn):
            self._hold(turn)
            return Slot(self, turn, sender)
        is_full = turn is not Turn.STREAM and self.waiting >= self._max_waiting
        if is_full and not self._evict(turn, sender):
            return None
        return Slot(self, turn, sender) if await self._wait(turn, sender, self._seconds[turn]) else None

    async def reacquire(self) -> None:
        """Take a slot again for an admitted request, whatever its class holds; waits without limit."""
        if self.in_use < self.limit:
            self._hold(Turn.RESUME)
        else:
            await self._wait(Turn.RESUME, "", None)

    def release(self, turn: Turn) -> None:
        """Pass a slot held as `turn` to the next waiting request, or free it."""
        self._held[turn] -= 1
        self.in_use -= 1
        while self.in_use < self.limit:
            following = self._next_turn()
            if following is None:
                return
            waiter = self._queues[following].pop()
            if not waiter.done():
                self._hold(following)
                waiter.set_result(True)

    def _is_open(self, turn: Turn) -> bool:
        """Return whether a slot is free for a new request of the class."""
        return self.in_use < self.limit and self._held[turn] < self._most.get(turn, self.limit)

    def _hold(self, turn: Turn) -> None:
        self._held[turn] += 1
        self.in_use += 1

    async def _wait(self, turn: Turn, sender: str, seconds: float | None) -> bool:
        """Wait in the queue of `turn`; return whether a slot was granted within `seconds`."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[bool] = loop.create_future()
        queue = self._queues[turn]
        queue.add(sender, waiter)
        deadline = None if seconds is None else loop.call_later(seconds, _refuse, waiter)
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.result():
                self.release(turn)
            raise
        finally:
            queue.remove(sender, waiter)
            if deadline is not None:
                deadline.cancel()

    def _evict(self, turn: Turn, sender: str) -> bool:
        """Refuse a waiting request in favour of a new one; False when the new one is refused."""
        lowest = Turn.READ if self._queues[Turn.READ].count else Turn.WRITE
        queue = self._queues[lowest]
        is_above = turn is Turn.WRITE and lowest is Turn.READ
        is_fairer = turn is lowest and queue.length_of(sender) + 1 < queue.longest()
        if is_above or is_fairer:
            _refuse(queue.drop_latest_of_longest())
        return is_above or is_fairer

    def _next_turn(self) -> Turn | None:
        waiting = [turn for turn in Turn if self._queues[turn].count and self._is_open(turn)]
        if not waiting:
            return None
        for turn in waiting:
            self._credit[turn] += turn.value
        chosen = max(waiting, key=lambda turn: self._credit[turn])
        self._credit[chosen] -= sum(turn.value for turn in waiting)
        return chosen


class Slot:
    """The slot of one request of `sender`, released while the request waits for something slow."""

    def __init__(self, slots: Slots, turn: Turn, sender: str) -> None:
        """Wrap a slot that was just acquired as `turn`."""
        self.sender = sender
        self._slots = slots
        self._turn = turn
        self._is_held = True
        self._is_over = False

    def pause(self) -> None:
        """Release the slot temporarily."""
        if self._is_held:
            self._is_held = False
            self._slots.release(self._turn)

    async def resume(self) -> None:
        """Take a slot again, unless the request has ended or never released it."""
        if not self._is_held and not self._is_over:
            await self._slots.reacquire()
            self._turn = Turn.RESUME
            self._is_held = True

    def end(self) -> None:
        """Release the slot permanently."""
        self._is_over = True
        self.pause()


@asynccontextmanager
async def released(scope: Scope) -> AsyncIterator[None]:
    """Release the slot of a request while it waits for the network or a timer.

    The request must use no database connection and no thread meanwhile.
    """
    slot: Slot | None = scope.get(SLOT_SCOPE_KEY)
    if slot is None:
        yield
        return
    slot.pause()
    try:
        yield
    finally:
        await slot.resume()


def _refuse(waiter: asyncio.Future[bool]) -> None:
    if not waiter.done():
        waiter.set_result(False)
