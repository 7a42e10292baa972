"""A case is returned once it is judged: one request that waits in place of many that ask."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from backend.cases import overview
from backend.core.http.slots import released

if TYPE_CHECKING:
    from uuid import UUID

    from fastapi import Request

    from backend.access.principals import Principal
    from backend.cases.schemas import CaseRead

MAX_SECONDS = 120
PAUSE_SECONDS = 0.25
"""A case that changes all the time is looked at so often at most."""

LOOK_SECONDS = 15.0
"""It is looked at so often though nothing is heard of it."""


async def until_judged(
    request: Request, principal: Principal, case_id: UUID, *, seconds: int
) -> CaseRead | None:
    """Return the case once it is judged, `seconds` are over, or nobody listens any more.

    None once `principal` may not see the case any more. It is looked at when an event of it was committed; no
    slot, no thread and no database connection is held between.
    """
    sessions = request.app.state.sessions
    if not seconds:
        return await run_in_threadpool(overview.describe_for, sessions, principal, case_id)
    deadline = time.monotonic() + seconds
    with request.app.state.events.watch(case_id) as changed:
        while True:
            changed.clear()
            told = await run_in_threadpool(overview.describe_for, sessions, principal, case_id)
            left = deadline - time.monotonic()
            is_over = left <= 0 or request.app.state.events.is_over
            if told is None or told.judged or is_over or await request.is_disconnected():
                return told
            async with released(request.scope):
                try:
                    async with asyncio.timeout(min(left, LOOK_SECONDS)):
                        await changed.wait()
                        await asyncio.sleep(PAUSE_SECONDS)
                except TimeoutError:
                    continue
