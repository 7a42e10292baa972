"""Events of all cases that a listener sees, as they are committed, for integrations.

    GET /api/v1/events        Last-Event-ID: 812   ->  events 813…, then new ones

One task per process looks once a second up to which id no event is still being written; each listener then
reads its own page, and is sent the events of cases that it sees at that moment. Access is checked after the
events were read, so none is sent that was committed after access ended. A listener holds one page, and all
of them share one thread.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from backend.access import decisions, principals
from backend.access.actions import Action
from backend.cases.schemas import ServiceEventRead
from backend.core import events
from backend.core.db.base import among
from backend.core.errors import NotAllowedError, UnavailableError
from backend.models.account import Role
from backend.models.case import Case
from backend.models.event import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from backend.access.principals import Principal

POLL_SECONDS = 1.0
PAGE_EVENTS = 200
KEEP_ALIVE_SECONDS = 15.0
KEEP_ALIVE = b": ping\n\n"
MAX_LISTENERS = 100
"""Listeners of one process."""

DELETED = "case.deleted"

logger = logging.getLogger(__name__)


class Listener:
    """One listener.

    Attributes:
        sent_id: The last event that was sent to it or that it does not see; None until the first look.
        sending: The time limit of the send that is under way.
    """

    def __init__(self, principal: Principal, sent_id: int | None) -> None:
        """Listen as `principal` after an event, or from now on."""
        self.principal = principal
        self.sent_id = sent_id
        self.wake = asyncio.Event()
        self.sending: asyncio.Timeout | None = None
        self.is_closed = False

    def close(self) -> None:
        """Close it, interrupting a send."""
        self.is_closed = True
        self.wake.set()
        if self.sending is not None:
            self.sending.reschedule(asyncio.get_running_loop().time())


class AllEvents:
    """Delivers events of all cases to the listeners of this process."""

    def __init__(self, sessions: sessionmaker[Session], is_stopping: Callable[[], bool]) -> None:
        """Read by `sessions` while there are listeners, until the process `is_stopping`."""
        self._sessions = sessions
        self._is_stopping = is_stopping
        self._listeners: set[Listener] = set()
        self._last_id: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._thread = anyio.CapacityLimiter(1)

    def require_room(self) -> None:
        """Check that another listener fits.

        Raises:
            UnavailableError: Too many listen.
        """
        if len(self._listeners) >= MAX_LISTENERS:
            raise UnavailableError(
                f"{MAX_LISTENERS} listeners of all events are connected, the most; retry later"
            )

    @contextmanager
    def subscribe(self, principal: Principal, *, after: int | None) -> Iterator[Listener]:
        """Listen for the duration of the block: after an event, or with None from now on."""
        listener = Listener(principal, after)
        self._listeners.add(listener)
        if self._task is None or self._task.done():
            self._last_id = None
            self._task = asyncio.create_task(self._follow())
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    async def next_bytes(self, listener: Listener) -> bytes | None:
        """Return the next bytes for a listener; None when its stream ends."""
        while not listener.is_closed:
            listener.wake.clear()
            if self._last_id is not None and listener.sent_id is None:
                listener.sent_id = self._last_id
            if self._last_id is not None and (listener.sent_id or 0) < self._last_id:
                if content := await self._page(listener, self._last_id):
                    return content
                continue
            try:
                async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                    await listener.wake.wait()
            except TimeoutError:
                # Ends the stream of a session that ended while nothing happened.
                await self._page(listener, listener.sent_id or 0)
                return None if listener.is_closed else KEEP_ALIVE
        return None

    async def close(self) -> None:
        """Close every stream."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._close_all()

    def _close_all(self) -> None:
        for listener in self._listeners:
            listener.close()

    async def _follow(self) -> None:
        """Look for new events while there are listeners."""
        while self._listeners and not self._is_stopping():
            try:
                last_id = await anyio.to_thread.run_sync(self._look, limiter=self._thread)
            except SQLAlchemyError as error:
                logger.warning("events could not be read, retrying: %s", error)
                last_id = None
            if last_id is not None and last_id != self._last_id:
                self._last_id = last_id
                for listener in self._listeners:
                    listener.wake.set()
            await asyncio.sleep(POLL_SECONDS)
        self._close_all()

    def _look(self) -> int | None:
        with self._sessions() as session:
            return events.last_committed(session)

    async def _page(self, listener: Listener, up_to: int) -> bytes:
        """Return the events of a page that the listener sees; close it if its session has ended."""
        try:
            found = await anyio.to_thread.run_sync(self._read, listener, up_to, limiter=self._thread)
        except SQLAlchemyError as error:
            logger.warning("events could not be read, retrying: %s", error)
            await asyncio.sleep(POLL_SECONDS)
            return b""
        if found is None:
            listener.close()
            return b""
        content, listener.sent_id = found
        return content

    def _read(self, listener: Listener, up_to: int) -> tuple[bytes, int] | None:
        after = listener.sent_id or 0
        query = select(Event).where(Event.id > after, Event.id <= up_to).order_by(Event.id)
        with self._sessions() as session:
            page = list(session.scalars(query.limit(PAGE_EVENTS)))
            principal = _again(session, listener.principal)
            if principal is None:
                return None
            numbers = _visible_numbers(session, principal, {one.case_id for one in page if one.case_id})
            parts = [
                _serialised(event, numbers.get(event.case_id))
                for event in page
                if _is_shown(event, numbers, principal)
            ]
        is_whole = len(page) < PAGE_EVENTS
        return b"".join(parts), up_to if is_whole else page[-1].id


def _again(session: Session, principal: Principal) -> Principal | None:
    """Return the principal as of now; None when it may no longer list cases."""
    current = principals.again(session, principal)
    try:
        if current is not None:
            decisions.check(current, Action.CASES_LIST)
    except NotAllowedError:
        return None
    return current


def _visible_numbers(
    session: Session, principal: Principal, case_ids: set[UUID]
) -> dict[UUID | None, tuple[int, bool]]:
    """Return the numbers of those cases that a principal sees, and whether each is deleted."""
    if not case_ids:
        return {}
    query = select(Case.id, Case.number, Case.deleted_at.is_not(None))
    rows = session.execute(query.where(among(Case.id, case_ids), decisions.visible(principal)))
    return {case_id: (number, is_deleted) for case_id, number, is_deleted in rows}


def _is_shown(event: Event, numbers: dict[UUID | None, tuple[int, bool]], principal: Principal) -> bool:
    """Return whether an event is sent: of a visible case, or of the service to admins."""
    if event.case_id is None:
        return principal.role is Role.ADMIN and principal.case_id is None
    found = numbers.get(event.case_id)
    return found is not None and (not found[1] or event.kind == DELETED)


def _serialised(event: Event, found: tuple[int, bool] | None) -> bytes:
    read = ServiceEventRead(
        id=event.id,
        at=event.at,
        kind=event.kind,
        case_number=None if found is None else found[0],
        team_id=event.team_id,
        actor=event.actor,
        is_system=event.is_system,
        payload=event.payload,
    )
    return f"event: {read.kind}\ndata: {read.model_dump_json()}\nid: {read.id}\n\n".encode()
