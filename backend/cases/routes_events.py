"""The event log of a case as server-sent events that resume where they stopped."""

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
"""A listener that takes nothing for so long is closed; it may resume."""

HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
"""nginx would gather a stream otherwise."""

STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "model": EventRead,
        "description": "Server-sent events: `id`, `event` (the kind), `data` (an `EventRead` as JSON).",
    }
}


class EventStream(Response):
    """The answer to one listener; the session that let the request in is closed before it begins."""

    media_type = "text/event-stream"

    def __init__(self, hub: EventHub, token_id: UUID, case_id: UUID, seen: int) -> None:
        """Send what `hub` hands to a session or token that was let in."""
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._hub = hub
        self._subscribed = (token_id, case_id, seen)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - its signature
        """Send until the listener leaves, may not see the case any more, or takes nothing."""
        token_id, case_id, seen = self._subscribed
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with self._hub.subscribe(token_id, case_id, after=seen) as subscription:
            leaving = asyncio.create_task(_close_on_leaving(receive, subscription))
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
                leaving.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _close_on_leaving(receive: Receive, subscription: Subscription) -> None:
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
    """Send every event of the case after `Last-Event-ID`, then new ones for as long as it may be seen."""
    seen = last_event_id if last_event_id is not None else (after or 0)
    return EventStream(request.app.state.events, principal.token_id, found_id, seen)
