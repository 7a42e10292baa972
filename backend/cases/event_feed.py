"""The listeners of one case, and the events they have not sent yet: each serialised once for all of them."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING

from backend.cases.schemas import EventRead
from backend.core.event_kinds import changes_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any, LiteralString
    from uuid import UUID

    from backend.access.rechecks import Sight

KEPT_EVENTS = 512
KEPT_BYTES = 1 << 20
"""What a case with listeners keeps in memory; a listener further behind reads the table, page by page."""


WOKEN_AT_ONCE = 50

LAST = "select coalesce(max(id), 0) from event where case_id = %(case_id)s"
AFTER: LiteralString = """
    select asked.case_id, later.*
    from unnest(%(case_ids)s::uuid[], %(after)s::bigint[], %(up_to)s::bigint[])
        as asked (case_id, after, up_to)
    cross join lateral (
        select id, at, kind, actor, is_system, payload from event
        where event.case_id = asked.case_id and event.id > asked.after and event.id <= asked.up_to
        order by id limit %(limit)s
    ) as later
    order by later.id
"""


class Feed:
    """The newest events of a case with listeners.

    Attributes:
        read_id: Up to which event the case was read; None until the first listener has asked.
        notified_id: The last event that a notification named.
        complete_after: Every later event up to `read_id` is kept here.
        watchers: Set when anything happens to the case.
    """

    def __init__(self, case_id: UUID) -> None:
        """Begin without listeners."""
        self.case_id = case_id
        self.read_id: int | None = None
        self.notified_id = 0
        self.complete_after = 0
        self.subscriptions: set[Subscription] = set()
        self.watchers: set[asyncio.Event] = set()
        self._entries: deque[tuple[int, bytes]] = deque()
        self._size_bytes = 0

    def begin(self, last_id: int) -> None:
        """Keep every event after `last_id`, unless this began before."""
        if self.read_id is None:
            self.read_id = self.complete_after = last_id

    def add(self, entries: Sequence[tuple[int, bytes]], *, up_to: int) -> None:
        """Append events that were read; there are no others up to `up_to`."""
        read_id = self.read_id or 0
        for event_id, content in entries:
            if event_id > read_id:
                self._entries.append((event_id, content))
                self._size_bytes += len(content)
                read_id = event_id
        self.read_id = max(read_id, up_to)
        while len(self._entries) > KEPT_EVENTS or self._size_bytes > KEPT_BYTES:
            self.complete_after, content = self._entries.popleft()
            self._size_bytes -= len(content)

    def after(self, seen: int) -> tuple[bytes, int]:
        """Return the events after `seen` as they are sent, and the last one's number."""
        parts: list[bytes] = []
        for event_id, content in reversed(self._entries):
            if event_id <= seen:
                break
            parts.append(content)
        last_id = self._entries[-1][0] if parts else seen
        return b"".join(reversed(parts)), last_id

    @property
    def is_due(self) -> bool:
        """Whether listeners wait for events that a notification named."""
        return bool(self.subscriptions) and self.read_id is not None and self.notified_id > self.read_id


class Subscription:
    """One listener.

    Attributes:
        seen: The last event that was handed to it.
        account_id: Whose session or token it is; None until it was decided first.
        doubts: Counts what may have ended its sight of the case; a decision holds only without a new one.
        is_verified: It saw the case after everything that it is handed was written.
        is_closed: It may not see the case any more, or takes nothing.
    """

    def __init__(self, feed: Feed, token_id: UUID, seen: int) -> None:
        """Listen to `feed` after the event `seen`."""
        self.feed = feed
        self.token_id = token_id
        self.seen = seen
        self.account_id: UUID | None = None
        self.doubts = 0
        self.is_verified = False
        self.is_closed = False
        self.wake = asyncio.Event()
        self.sending: asyncio.Timeout | None = None
        self._until: float | None = None

    @property
    def pair(self) -> tuple[UUID, UUID]:
        """Session or token, and case."""
        return self.token_id, self.feed.case_id

    def doubt(self) -> None:
        """Hand on nothing until it is decided again."""
        self.doubts += 1
        self.is_verified = False

    def decide(self, sight: Sight | None, doubts: int) -> None:
        """Take a decision that began when there were so many doubts."""
        if sight is None:
            self.close()
            return
        self.account_id = sight.account_id
        if doubts != self.doubts:
            return
        self._until = None if sight.until is None else sight.until.timestamp()
        if not self.is_verified:
            self.is_verified = True
            self.wake.set()

    def close(self) -> None:
        """End it, in the middle of sending too."""
        self.is_closed = True
        self.is_verified = False
        self.wake.set()
        if self.sending is not None:
            self.sending.reschedule(asyncio.get_running_loop().time())

    def seconds_left(self) -> float | None:
        """Return after which time alone may end it."""
        return None if self._until is None else self._until - time.time()


def serialised(row: tuple[Any, ...]) -> tuple[int, bytes]:
    """Return number and bytes of an event, of its columns in the order of `names`."""
    names = ("id", "at", "kind", "actor", "is_system", "payload")
    told = dict(zip(names, row, strict=True))
    event = EventRead.model_validate({**told, "changes": changes_of(told["kind"])})
    return event.id, f"event: {event.kind}\ndata: {event.model_dump_json()}\nid: {event.id}\n\n".encode()


def set_all(watchers: Collection[asyncio.Event]) -> None:
    """Have everybody who waits for a change look."""
    for watcher in watchers:
        watcher.set()


async def wake(subscriptions: Collection[Subscription]) -> None:
    """Wake listeners some at a time, so that other requests are served between them."""
    for number, one in enumerate(list(subscriptions), start=1):
        one.wake.set()
        if number % WOKEN_AT_ONCE == 0:
            await asyncio.sleep(0)
