"""Events of cases as they are committed: read once per process, for all listeners together.

Two connections of this process's own serve any number of listeners. One listens to what the triggers of
`event` and of the tables of access notify of; the other reads events and decides who still sees what. No
listener has a thread, or a connection of the pool.

Guarantee: a listener is sent every event of its case once and in order for as long as it may see the case,
and no event whose commit follows the commit that took its sight away. PostgreSQL delivers notifications in
the order of commits. One of access puts the listeners concerned in doubt before a later event is known,
events are read no further than notifications named them, and a listener in doubt is handed nothing. What is
read without a notification (the past, what was missed while the connection was away) is read first, decided
on then, and sent last. The end of a token or a link by time is checked before each sending.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy.dialects.postgresql import psycopg

from backend.access import rechecks
from backend.cases.event_feed import AFTER, LAST, Feed, Subscription, serialised, set_all, wake
from backend.core.db import notifications

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

EVENTS, ACCESS = "casebook_event", "casebook_access"
SWEEP_SECONDS = 30.0
"""Everything is read and decided again so often, notified of or not."""

PAUSE_SECONDS, PAUSE_SECONDS_PER_LISTENER = 0.1, 0.0005
"""Between two reads of events, longer when many listeners were woken: a send costs about 0.2 ms."""

KEEP_ALIVE_SECONDS = 15.0
KEEP_ALIVE = b": ping\n\n"
PAGE_EVENTS = 500
MAX_ID = 2**63 - 1
_DIALECT = psycopg.dialect()  # type: ignore[no-untyped-call]

logger = logging.getLogger(__name__)


class EventHub:
    """Hands the events of cases to whoever listens in this process.

    Attributes:
        is_over: The process stops; nobody is to wait any more.
    """

    def __init__(self, conninfo: str) -> None:
        """Prepare; it connects when the first listener comes."""
        self._conninfo = conninfo
        self._reader = notifications.Reader(conninfo)
        self._feeds: dict[UUID, Feed] = {}
        self._work = asyncio.Event()
        self._is_outdated = False
        self._woken = 0
        self.is_over = False
        self._tasks: list[asyncio.Task[None]] = []

    @contextmanager
    def subscribe(self, token_id: UUID, case_id: UUID, *, after: int) -> Iterator[Subscription]:
        """Listen to a case, from after an event on, for as long as this is entered."""
        feed = self._feed(case_id)
        subscription = Subscription(feed, token_id, min(after, MAX_ID))
        feed.subscriptions.add(subscription)
        if self.is_over:
            subscription.close()
        try:
            yield subscription
        finally:
            feed.subscriptions.discard(subscription)
            self._forget_unused(feed)

    @contextmanager
    def watch(self, case_id: UUID) -> Iterator[asyncio.Event]:
        """Set an event whenever something may have happened to a case."""
        feed = self._feed(case_id)
        changed = asyncio.Event()
        feed.watchers.add(changed)
        try:
            yield changed
        finally:
            feed.watchers.discard(changed)
            self._forget_unused(feed)

    async def next_bytes(self, subscription: Subscription) -> bytes | None:
        """Return what a listener is to be sent next; None when it is over for them."""
        feed = subscription.feed
        while not subscription.is_closed:
            subscription.wake.clear()
            left = subscription.seconds_left()
            if left is not None and left <= 0:
                subscription.doubt()
                self._work.set()
            if feed.read_id is None or subscription.seen < feed.complete_after:
                if content := await self._past(subscription):
                    return content
                continue
            if subscription.is_verified:
                content, subscription.seen = feed.after(subscription.seen)
                if content:
                    return content
            else:
                self._work.set()
            left = subscription.seconds_left() if subscription.is_verified else None
            wait = KEEP_ALIVE_SECONDS if left is None else min(KEEP_ALIVE_SECONDS, max(left, 0.0))
            try:
                async with asyncio.timeout(wait):
                    await subscription.wake.wait()
            except TimeoutError:
                if wait == KEEP_ALIVE_SECONDS:
                    return KEEP_ALIVE
        return None

    def end_streams(self) -> None:
        """End every listener, and whoever comes later at once: the process stops."""
        self.is_over = True
        for subscription in self._subscriptions():
            subscription.close()
        for feed in self._feeds.values():
            set_all(feed.watchers)

    async def close(self) -> None:
        """End every listener and close both connections."""
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        await self._reader.close()

    def _feed(self, case_id: UUID) -> Feed:
        if not self._tasks:
            listening = notifications.listen(
                self._conninfo,
                (EVENTS, ACCESS),
                on_connected=self._catch_up,
                on_notification=self._notified,
            )
            self._tasks = [asyncio.create_task(listening), asyncio.create_task(self._work_on())]
            for task in self._tasks:
                task.add_done_callback(self._ended)
        return self._feeds.setdefault(case_id, Feed(case_id))

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Have listeners resume on new tasks after a bug of ours, which would leave them waiting for ever."""
        if not task.cancelled():
            logger.error("reading events broke", exc_info=task.exception())
            for other in self._tasks:
                other.cancel()
            self._tasks = []
            for subscription in self._subscriptions():
                subscription.close()

    def _forget_unused(self, feed: Feed) -> None:
        is_unused = not feed.subscriptions and not feed.watchers
        if is_unused and self._feeds.get(feed.case_id) is feed:
            del self._feeds[feed.case_id]

    def _subscriptions(self) -> list[Subscription]:
        return [one for feed in self._feeds.values() for one in feed.subscriptions]

    def _catch_up(self) -> None:
        """Read and decide everything again: notifications may have been missed."""
        self._is_outdated = True
        self._work.set()
        for feed in self._feeds.values():
            set_all(feed.watchers)

    def _notified(self, channel: str, payload: str) -> None:
        subject, _, rest = payload.partition(" ")
        if channel == ACCESS:
            self._access_changed(subject, UUID(rest))
            return
        feed = self._feeds.get(UUID(subject))
        if feed is not None:
            feed.notified_id = max(feed.notified_id, int(rest))
            set_all(feed.watchers)
            self._work.set()

    def _access_changed(self, subject: str, changed_id: UUID) -> None:
        for feed in self._feeds.values():
            is_this_case = subject == "case" and feed.case_id == changed_id
            for one in feed.subscriptions:
                # Whose it is shows with the first decision; until then every account may be theirs.
                is_theirs = subject == "account" and one.account_id in {changed_id, None}
                if is_this_case or is_theirs or (subject == "token" and one.token_id == changed_id):
                    one.doubt()
                    self._work.set()
            if is_this_case or subject != "case":
                set_all(feed.watchers)

    async def _work_on(self) -> None:
        """Decide and read whenever there is something to; everything, every so often."""
        loop = asyncio.get_running_loop()
        sweep_at = loop.time() + SWEEP_SECONDS
        while True:
            try:
                async with asyncio.timeout_at(sweep_at):
                    await self._work.wait()
            except TimeoutError:
                self._is_outdated = True
            self._work.clear()
            try:
                if self._is_outdated:
                    sweep_at = loop.time() + SWEEP_SECONDS
                    self._is_outdated = False
                    await self._read_all()
                else:
                    await self._decide([one for one in self._subscriptions() if not one.is_verified])
                    await self._read_notified()
            except notifications.FAILURES as error:
                logger.warning("events could not be read, trying again: %s", error)
                self._is_outdated = True
                self._work.set()
                await asyncio.sleep(1)
            woken, self._woken = self._woken, 0
            await asyncio.sleep(PAUSE_SECONDS + PAUSE_SECONDS_PER_LISTENER * woken)

    async def _read_notified(self) -> None:
        due = [(feed, feed.notified_id) for feed in self._feeds.values() if feed.is_due]
        found = await self._after(due)
        for feed, up_to in due:
            await self._hand_out(feed, found.get(feed.case_id, []), up_to=up_to)

    async def _read_all(self) -> None:
        feeds = [feed for feed in self._feeds.values() if feed.subscriptions and feed.read_id is not None]
        found = await self._after([(feed, MAX_ID) for feed in feeds])
        await self._decide(self._subscriptions())
        for feed in feeds:
            await self._hand_out(feed, found.get(feed.case_id, []), up_to=0)

    async def _hand_out(self, feed: Feed, entries: list[tuple[int, bytes]], *, up_to: int) -> None:
        """Hand on events of a case that were read: all up to `up_to`, or a full page of them."""
        if len(entries) < PAGE_EVENTS:
            feed.add(entries, up_to=up_to)
        else:
            feed.add(entries, up_to=0)
            self._is_outdated = True
            self._work.set()
        if entries:
            self._woken += len(feed.subscriptions)
            await wake(feed.subscriptions)

    async def _after(self, wanted: Sequence[tuple[Feed, int]]) -> dict[UUID, list[tuple[int, bytes]]]:
        """Return the events of several cases after what was read of each, up to the number given with it."""
        if not wanted:
            return {}
        values = {
            "case_ids": [feed.case_id for feed, _ in wanted],
            "after": [feed.read_id for feed, _ in wanted],
            "up_to": [up_to for _, up_to in wanted],
            "limit": PAGE_EVENTS,
        }
        found: dict[UUID, list[tuple[int, bytes]]] = {}
        for case_id, *event in await self._reader.rows(AFTER, values):
            found.setdefault(case_id, []).append(serialised(tuple(event)))
        return found

    async def _past(self, subscription: Subscription) -> bytes:
        """Return a page of what a listener has not seen and the feed does not keep, or nothing."""
        feed = subscription.feed
        try:
            if feed.read_id is None:
                [(last_id,)] = await self._reader.rows(LAST, {"case_id": feed.case_id})
                feed.begin(last_id)
            known_id = feed.read_id or 0
            values = {"case_ids": [feed.case_id], "after": [subscription.seen], "up_to": [MAX_ID]}
            rows = await self._reader.rows(AFTER, {**values, "limit": PAGE_EVENTS})
            await self._decide([subscription])
        except notifications.FAILURES as error:
            logger.warning("the past of case %s could not be read, trying again: %s", feed.case_id, error)
            await asyncio.sleep(1)
            return b""
        if subscription.is_closed:
            return b""
        entries = [serialised(tuple(event)) for _, *event in rows]
        if entries:
            subscription.seen = entries[-1][0]
        if len(entries) < PAGE_EVENTS:
            subscription.seen = max(subscription.seen, known_id)
        return b"".join(content for _, content in entries)

    async def _decide(self, subscriptions: Collection[Subscription]) -> None:
        """Close the subscriptions that may not see their case any more, by one query for all."""
        asked = [(one, one.doubts) for one in subscriptions]
        if not asked:
            return
        compiled = rechecks.statement({one.pair for one in subscriptions}).compile(dialect=_DIALECT)
        sights = rechecks.sights(await self._reader.rows(str(compiled), compiled.params))
        for one, doubts in asked:
            one.decide(sights.get(one.pair), doubts)
