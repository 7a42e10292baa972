"""The event log of a case, and of all cases, as resumable server-sent events."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

from fastapi import APIRouter, Header, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, needs
from backend.cases.access import CaseIdDep
from backend.cases.schemas import EventRead, ServiceEventRead

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from starlette.types import Receive, Scope, Send

    from backend.cases.all_events import AllEvents
    from backend.cases.event_hub import EventHub

router = APIRouter(tags=["cases"])

RETRY_MILLISECONDS = 2000
OPENING = b": open\nretry: %d\n\n" % RETRY_MILLISECONDS
SEND_SECONDS = 30.0
"""A listener that reads nothing for this long is disconnected; it may resume."""

HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
"""nginx would buffer the stream otherwise."""

STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "model": EventRead,
        "description": "Server-sent events: `id`, `event` (the kind), `data` (the model as JSON).",
    }
}


class Listening(Protocol):
    """One listener of a source."""

    sending: asyncio.Timeout | None

    def close(self) -> None:
        """Close it, interrupting a send."""


Listener = TypeVar("Listener", bound=Listening)
Served_contra = TypeVar("Served_contra", bound=Listening, contravariant=True)


class Source(Protocol[Served_contra]):
    """What listeners are served by."""

    async def next_bytes(self, listener: Served_contra, /) -> bytes | None:
        """Return the next bytes for a listener; None when its stream ends."""


class EventStream(Response):
    """The response to one listener; its database session is closed before the stream begins."""

    media_type = "text/event-stream"

    def __init__(self, source: Source[Listener], listening: AbstractContextManager[Listener]) -> None:
        """Stream the events of `source` to an admitted listener."""
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._source: Source[Any] = source
        self._listening: AbstractContextManager[Listening] = listening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - its signature
        """Stream until the listener disconnects, loses access, or stops reading."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with self._listening as subscription:
            disconnect = asyncio.create_task(_close_on_disconnect(receive, subscription))
            try:
                content: bytes | None = OPENING
                while content is not None:
                    async with asyncio.timeout(SEND_SECONDS) as subscription.sending:
                        await send({"type": "http.response.body", "body": content, "more_body": True})
                    subscription.sending = None
                    content = await self._source.next_bytes(subscription)
            except TimeoutError:
                return
            finally:
                disconnect.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _close_on_disconnect(receive: Receive, subscription: Listening) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscription.close()


@router.get(
    "/cases/{case_id}/events",
    status_code=200,
    response_class=EventStream,
    responses=STREAM,
    dependencies=[needs(Action.CASE_READ)],
)
async def stream_case_events(
    request: Request,
    principal: PrincipalDep,
    found_id: CaseIdDep,
    last_event_id: Annotated[int | None, Header()] = None,
    after: Annotated[
        int | None, Query(ge=0, description="Like Last-Event-ID, for a first connection")
    ] = None,
) -> Response:
    """Stream every event of the case after `Last-Event-ID`, then new ones while the case is visible."""
    after_id = last_event_id if last_event_id is not None else (after or 0)
    hub: EventHub = request.app.state.events
    return EventStream(hub, hub.subscribe(principal.token_id, found_id, after=after_id))


@router.get(
    "/events",
    status_code=200,
    response_class=EventStream,
    responses={200: {**STREAM[200], "model": ServiceEventRead}},
    dependencies=[needs(Action.CASES_LIST)],
)
async def stream_events(
    request: Request,
    principal: PrincipalDep,
    last_event_id: Annotated[int | None, Header()] = None,
    after: Annotated[
        int | None,
        Query(ge=0, description="Like Last-Event-ID, for a first connection; 0: all"),
    ] = None,
) -> Response:
    """Stream the events of visible cases: after `Last-Event-ID`, without one from now on."""
    everything: AllEvents = request.app.state.all_events
    everything.require_room()
    after_id = last_event_id if last_event_id is not None else after
    return EventStream(everything, everything.subscribe(principal, after=after_id))
