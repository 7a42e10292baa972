"""Long polling: one request waits until its case is judged, in place of many polls."""

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
"""Least interval between two reads of a case that changes often."""

LOOK_SECONDS = 15.0
"""Interval of reads without any notification."""


async def until_judged(
    request: Request, principal: Principal, case_id: UUID, *, seconds: int
) -> CaseRead | None:
    """Return the case once it is judged, `seconds` have passed, or the client disconnects.

    None once `principal` loses access to the case. The case is read after each of its events; between reads
    the request holds no slot, thread or database connection.
    """
    sessions = request.app.state.sessions
    if not seconds:
        return await run_in_threadpool(overview.describe_for, sessions, principal, case_id)
    deadline = time.monotonic() + seconds
    with request.app.state.events.watch(case_id) as changed:
        while True:
            changed.clear()
            case = await run_in_threadpool(overview.describe_for, sessions, principal, case_id)
            remaining = deadline - time.monotonic()
            is_due = remaining <= 0 or request.app.state.events.is_stopping
            if case is None or case.judged or is_due or await request.is_disconnected():
                return case
            async with released(request.scope):
                try:
                    async with asyncio.timeout(min(remaining, LOOK_SECONDS)):
                        await changed.wait()
                        await asyncio.sleep(PAUSE_SECONDS)
                except TimeoutError:
                    continue
