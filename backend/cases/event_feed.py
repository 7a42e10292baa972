"""Event feed of one case: its subscriptions and its recent events, each serialised once for all of them."""

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

    from backend.access.rechecks import Access

BUFFERED_EVENTS = 512
BUFFERED_BYTES = 1 << 20
"""Events buffered per case; a listener further behind reads the table, page by page."""


WAKE_BATCH = 50

LAST = "select coalesce(max(id), 0) from event where case_id = %(case_id)s"
AFTER: LiteralString = """
    select wanted.case_id, later.*
    from unnest(%(case_ids)s::uuid[], %(after)s::bigint[], %(up_to)s::bigint[])
        as wanted (case_id, after, up_to)
    cross join lateral (
        select id, at, kind, actor, is_system, payload from event
        where event.case_id = wanted.case_id and event.id > wanted.after and event.id <= wanted.up_to
        order by id limit %(limit)s
    ) as later
    order by later.id
"""


class Feed:
    """Buffer of the newest events of a case with listeners.

    Attributes:
        read_id: The last event read from the table; None until the first listener.
        notified_id: The last event that a notification announced.
        complete_after: Every later event up to `read_id` is buffered.
        watchers: Set at every change of the case.
    """

    def __init__(self, case_id: UUID) -> None:
        """Start without listeners."""
        self.case_id = case_id
        self.read_id: int | None = None
        self.notified_id = 0
        self.complete_after = 0
        self.subscriptions: set[Subscription] = set()
        self.watchers: set[asyncio.Event] = set()
        self._entries: deque[tuple[int, bytes]] = deque()
        self._size_bytes = 0

    def begin(self, last_id: int) -> None:
        """Buffer events after `last_id`, unless already started."""
        if self.read_id is None:
            self.read_id = self.complete_after = last_id

    def add(self, entries: Sequence[tuple[int, bytes]], *, up_to: int) -> None:
        """Append events read from the table; there are no others up to `up_to`."""
        read_id = self.read_id or 0
        for event_id, content in entries:
            if event_id > read_id:
                self._entries.append((event_id, content))
                self._size_bytes += len(content)
                read_id = event_id
        self.read_id = max(read_id, up_to)
        while len(self._entries) > BUFFERED_EVENTS or self._size_bytes > BUFFERED_BYTES:
            self.complete_after, content = self._entries.popleft()
            self._size_bytes -= len(content)

    def after(self, sent_id: int) -> tuple[bytes, int]:
        """Return the serialised events after `sent_id`, and the id of the last."""
        parts: list[bytes] = []
        for event_id, content in reversed(self._entries):
            if event_id <= sent_id:
                break
            parts.append(content)
        last_id = self._entries[-1][0] if parts else sent_id
        return b"".join(reversed(parts)), last_id

    @property
    def is_due(self) -> bool:
        """Whether listeners wait for events that a notification announced."""
        return bool(self.subscriptions) and self.read_id is not None and self.notified_id > self.read_id


class Subscription:
    """One listener.

    Attributes:
        sent_id: The last event sent to it.
        account_id: The account of its session or token; None until access was first checked.
        access_changes: Count of changes that may have ended its access; an older check does not count.
        is_verified: Access was checked after everything in its buffer was written.
        is_closed: It lost access to the case, or does not read.
    """

    def __init__(self, feed: Feed, token_id: UUID, sent_id: int) -> None:
        """Listen to `feed` after the event `sent_id`."""
        self.feed = feed
        self.token_id = token_id
        self.sent_id = sent_id
        self.account_id: UUID | None = None
        self.access_changes = 0
        self.is_verified = False
        self.is_closed = False
        self.wake = asyncio.Event()
        self.sending: asyncio.Timeout | None = None
        self._until: float | None = None

    @property
    def pair(self) -> tuple[UUID, UUID]:
        """Ids of the session or token, and of the case."""
        return self.token_id, self.feed.case_id

    def invalidate_access(self) -> None:
        """Send nothing until access is checked again."""
        self.access_changes += 1
        self.is_verified = False

    def set_access(self, access: Access | None, access_changes: int) -> None:
        """Apply an access check that began at `access_changes`; None closes the subscription."""
        if access is None:
            self.close()
            return
        self.account_id = access.account_id
        if access_changes != self.access_changes:
            return
        until = None if access.until is None else access.until.timestamp()
        # Its listener waits no longer than its access lasts, so it must learn of another expiry, too.
        if not self.is_verified or until != self._until:
            self._until = until
            self.is_verified = True
            self.wake.set()

    def close(self) -> None:
        """Close it, interrupting a send."""
        self.is_closed = True
        self.is_verified = False
        self.wake.set()
        if self.sending is not None:
            self.sending.reschedule(asyncio.get_running_loop().time())

    def seconds_remaining(self) -> float | None:
        """Return the seconds until its access expires; None is never."""
        return None if self._until is None else self._until - time.time()


def serialised(row: tuple[Any, ...]) -> tuple[int, bytes]:
    """Return id and SSE bytes of an event, from its columns in the order of `names`."""
    names = ("id", "at", "kind", "actor", "is_system", "payload")
    fields = dict(zip(names, row, strict=True))
    event = EventRead.model_validate({**fields, "changes": changes_of(fields["kind"])})
    return event.id, f"event: {event.kind}\ndata: {event.model_dump_json()}\nid: {event.id}\n\n".encode()


def set_all(watchers: Collection[asyncio.Event]) -> None:
    """Wake every watcher."""
    for watcher in watchers:
        watcher.set()


async def wake(subscriptions: Collection[Subscription]) -> None:
    """Wake listeners in batches, so that other requests are served between them."""
    for number, one in enumerate(list(subscriptions), start=1):
        one.wake.set()
        if number % WAKE_BATCH == 0:
            await asyncio.sleep(0)
