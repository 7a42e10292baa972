"""The event log of a case as server-sent events that resume where they stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

import anyio
from anyio.lowlevel import RunVar
from fastapi import APIRouter, Header, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from backend.access.actions import Action
from backend.access.dependencies import AskerDep, needs
from backend.cases import events
from backend.cases.access import CaseIdDep

router = APIRouter(prefix="/cases", tags=["cases"])

POLL_SECONDS = 0.5
RETRY_MILLISECONDS = 2000
_LIMITER: RunVar[anyio.CapacityLimiter] = RunVar("event readers")


@router.get("/{case_id}/events", response_class=EventSourceResponse, dependencies=[needs(Action.CASE_READ)])
async def stream_case_events(
    request: Request,
    asker: AskerDep,
    found_id: CaseIdDep,
    last_event_id: Annotated[int | None, Header()] = None,
    after: Annotated[
        int | None, Query(ge=0, description="Like Last-Event-ID, for a first connection")
    ] = None,
) -> AsyncIterator[ServerSentEvent]:
    """Send every event of the case after `Last-Event-ID`, then new ones for as long as it may be seen."""
    seen = last_event_id if last_event_id is not None else (after or 0)
    sessions = request.app.state.sessions
    yield ServerSentEvent(comment="open", retry=RETRY_MILLISECONDS)
    while not await request.is_disconnected():
        entries = await anyio.to_thread.run_sync(
            events.read_after, sessions, asker, found_id, seen, limiter=_limiter()
        )
        if entries is None:
            return
        for entry in entries:
            seen = entry.id
            yield ServerSentEvent(id=str(entry.id), event=entry.kind, data=entry)
        await asyncio.sleep(POLL_SECONDS)


def _limiter() -> anyio.CapacityLimiter:
    """Return what lets one listener of this process read at a time: however many there are, others work."""
    try:
        return _LIMITER.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(1)
        _LIMITER.set(limiter)
        return limiter
