"""The event log of a case as resumable server-sent events."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, needs
from backend.cases.access import CaseIdDep
from backend.cases.schemas import EventRead

if TYPE_CHECKING:
    from uuid import UUID

    from starlette.types import Receive, Scope, Send

    from backend.cases.event_feed import Subscription
    from backend.cases.event_hub import EventHub

router = APIRouter(prefix="/cases", tags=["cases"])

RETRY_MILLISECONDS = 2000
OPENING = b": open\nretry: %d\n\n" % RETRY_MILLISECONDS
SEND_SECONDS = 30.0
"""A listener that reads nothing for this long is disconnected; it may resume."""

HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
"""nginx would buffer the stream otherwise."""

STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "model": EventRead,
        "description": "Server-sent events: `id`, `event` (the kind), `data` (an `EventRead` as JSON).",
    }
}


class EventStream(Response):
    """The response to one listener; its database session is closed before the stream begins."""

    media_type = "text/event-stream"

    def __init__(self, hub: EventHub, token_id: UUID, case_id: UUID, after: int) -> None:
        """Stream the events of `hub` to an admitted session or token."""
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._hub = hub
        self._subscribed = (token_id, case_id, after)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - its signature
        """Stream until the listener disconnects, loses access, or stops reading."""
        token_id, case_id, after = self._subscribed
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with self._hub.subscribe(token_id, case_id, after=after) as subscription:
            disconnect = asyncio.create_task(_close_on_disconnect(receive, subscription))
            try:
                content: bytes | None = OPENING
                while content is not None:
                    async with asyncio.timeout(SEND_SECONDS) as subscription.sending:
                        await send({"type": "http.response.body", "body": content, "more_body": True})
                    subscription.sending = None
                    content = await self._hub.next_bytes(subscription)
            except TimeoutError:
                return
            finally:
                disconnect.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _close_on_disconnect(receive: Receive, subscription: Subscription) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscription.close()


@router.get(
    "/{case_id}/events",
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
    return EventStream(request.app.state.events, principal.token_id, found_id, after_id)
