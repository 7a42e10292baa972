"""Event hub: streams committed events of cases; read once per process, for all listeners together.

Two database connections per process serve any number of listeners. One LISTENs to the triggers of `event` and
of the access tables; the other reads events and checks access. No listener uses a thread, or a connection of
the pool.

Guarantee: a listener receives every event of its case once and in order while it has access to the case, and
no event committed after the commit that revoked its access. PostgreSQL delivers notifications in commit
order. A notification of an access change invalidates the listeners concerned before any later event is read;
events are read only up to the last notification; and an invalidated listener is sent nothing. Events read
without a notification (history, events missed while disconnected) are read first, then access is checked,
then they are sent. Expiry of a token or a link is checked before each send.
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
"""Interval of a full read and access check, with or without notifications."""

PAUSE_SECONDS, PAUSE_SECONDS_PER_LISTENER = 0.1, 0.0005
"""Pause between two reads, longer with many listeners: a send costs about 0.2 ms."""

KEEP_ALIVE_SECONDS = 15.0
KEEP_ALIVE = b": ping\n\n"
PAGE_EVENTS = 500
MAX_ID = 2**63 - 1
_DIALECT = psycopg.dialect()  # type: ignore[no-untyped-call]

logger = logging.getLogger(__name__)


class EventHub:
    """Delivers events of cases to the listeners of this process.

    Attributes:
        is_stopping: The process is shutting down; nothing may wait any more.
    """

    def __init__(self, conninfo: str) -> None:
        """Connects when the first listener subscribes."""
        self._conninfo = conninfo
        self._reader = notifications.Reader(conninfo)
        self._feeds: dict[UUID, Feed] = {}
        self._work = asyncio.Event()
        self._is_outdated = False
        self._woken = 0
        self.is_stopping = False
        self._tasks: list[asyncio.Task[None]] = []

    @contextmanager
    def subscribe(self, token_id: UUID, case_id: UUID, *, after: int) -> Iterator[Subscription]:
        """Subscribe to a case, after an event, for the duration of the block."""
        feed = self._feed(case_id)
        subscription = Subscription(feed, token_id, min(after, MAX_ID))
        feed.subscriptions.add(subscription)
        if self.is_stopping:
            subscription.close()
        try:
            yield subscription
        finally:
            feed.subscriptions.discard(subscription)
            self._forget_unused(feed)

    @contextmanager
    def watch(self, case_id: UUID) -> Iterator[asyncio.Event]:
        """Yield an asyncio event that is set at every possible change of a case."""
        feed = self._feed(case_id)
        changed = asyncio.Event()
        feed.watchers.add(changed)
        try:
            yield changed
        finally:
            feed.watchers.discard(changed)
            self._forget_unused(feed)

    async def next_bytes(self, subscription: Subscription) -> bytes | None:
        """Return the next bytes for a listener; None when its stream ends."""
        feed = subscription.feed
        while not subscription.is_closed:
            subscription.wake.clear()
            remaining = subscription.seconds_remaining()
            if remaining is not None and remaining <= 0:
                subscription.invalidate_access()
                self._work.set()
            if feed.read_id is None or subscription.sent_id < feed.complete_after:
                if content := await self._history(subscription):
                    return content
                continue
            if subscription.is_verified:
                content, subscription.sent_id = feed.after(subscription.sent_id)
                if content:
                    return content
            else:
                self._work.set()
            remaining = subscription.seconds_remaining() if subscription.is_verified else None
            wait = KEEP_ALIVE_SECONDS if remaining is None else min(KEEP_ALIVE_SECONDS, max(remaining, 0.0))
            try:
                async with asyncio.timeout(wait):
                    await subscription.wake.wait()
            except TimeoutError:
                if wait == KEEP_ALIVE_SECONDS:
                    return KEEP_ALIVE
        return None

    def end_streams(self) -> None:
        """Close every stream, present and future: the process is stopping."""
        self.is_stopping = True
        for subscription in self._subscriptions():
            subscription.close()
        for feed in self._feeds.values():
            set_all(feed.watchers)

    async def close(self) -> None:
        """Close every stream and both connections."""
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
            self._tasks = [asyncio.create_task(listening), asyncio.create_task(self._run())]
            for task in self._tasks:
                task.add_done_callback(self._ended)
        return self._feeds.setdefault(case_id, Feed(case_id))

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Close all streams after an unexpected error, so that listeners reconnect to new tasks."""
        if not task.cancelled():
            logger.error("the event reader failed", exc_info=task.exception())
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
        """Read everything and check all access again: notifications may have been missed."""
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
                # The account is unknown before the first check; until then every account may be theirs.
                is_theirs = subject == "account" and one.account_id in {changed_id, None}
                if is_this_case or is_theirs or (subject == "token" and one.token_id == changed_id):
                    one.invalidate_access()
                    self._work.set()
            if is_this_case or subject != "case":
                set_all(feed.watchers)

    async def _run(self) -> None:
        """Check access and read events on demand; everything, once per sweep."""
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
                    await self._check_access([one for one in self._subscriptions() if not one.is_verified])
                    await self._read_notified()
            except notifications.FAILURES as error:
                logger.warning("events could not be read, retrying: %s", error)
                self._is_outdated = True
                self._work.set()
                await asyncio.sleep(1)
            woken, self._woken = self._woken, 0
            await asyncio.sleep(PAUSE_SECONDS + PAUSE_SECONDS_PER_LISTENER * woken)

    async def _read_notified(self) -> None:
        due = [(feed, feed.notified_id) for feed in self._feeds.values() if feed.is_due]
        found = await self._after(due)
        for feed, up_to in due:
            await self._deliver(feed, found.get(feed.case_id, []), up_to=up_to)

    async def _read_all(self) -> None:
        feeds = [feed for feed in self._feeds.values() if feed.subscriptions and feed.read_id is not None]
        found = await self._after([(feed, MAX_ID) for feed in feeds])
        await self._check_access(self._subscriptions())
        for feed in feeds:
            await self._deliver(feed, found.get(feed.case_id, []), up_to=0)

    async def _deliver(self, feed: Feed, entries: list[tuple[int, bytes]], *, up_to: int) -> None:
        """Buffer events read for a case and wake its listeners: all up to `up_to`, or a full page."""
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
        """Return the unread events of several cases, each up to the id passed with it."""
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

    async def _history(self, subscription: Subscription) -> bytes:
        """Return a page of events that the listener has not received and the feed no longer buffers."""
        feed = subscription.feed
        try:
            if feed.read_id is None:
                [(last_id,)] = await self._reader.rows(LAST, {"case_id": feed.case_id})
                feed.begin(last_id)
            read_id = feed.read_id or 0
            values = {"case_ids": [feed.case_id], "after": [subscription.sent_id], "up_to": [MAX_ID]}
            rows = await self._reader.rows(AFTER, {**values, "limit": PAGE_EVENTS})
            await self._check_access([subscription])
        except notifications.FAILURES as error:
            logger.warning(
                "the event history of case %s could not be read, retrying: %s", feed.case_id, error
            )
            await asyncio.sleep(1)
            return b""
        if subscription.is_closed:
            return b""
        entries = [serialised(tuple(event)) for _, *event in rows]
        if entries:
            subscription.sent_id = entries[-1][0]
        if len(entries) < PAGE_EVENTS:
            subscription.sent_id = max(subscription.sent_id, read_id)
        return b"".join(content for _, content in entries)

    async def _check_access(self, subscriptions: Collection[Subscription]) -> None:
        """Check access of `subscriptions` by one query; close those that lost it."""
        checked = [(one, one.access_changes) for one in subscriptions]
        if not checked:
            return
        compiled = rechecks.statement({one.pair for one in subscriptions}).compile(dialect=_DIALECT)
        access = rechecks.access_by_pair(await self._reader.rows(str(compiled), compiled.params))
        for one, access_changes in checked:
            one.set_access(access.get(one.pair), access_changes)
