"""A case is returned once it is judged: one request that waits in place of many that ask."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from backend.cases import overview
from backend.core.slots import released

if TYPE_CHECKING:
    from uuid import UUID

    from fastapi import Request

    from backend.access.askers import Asker
    from backend.cases.schemas import CaseRead

MAX_SECONDS = 120
POLL_SECONDS = 0.25


async def until_judged(request: Request, asker: Asker, case_id: UUID, *, seconds: int) -> CaseRead | None:
    """Return the case once it is judged, `seconds` are over, or nobody listens any more.

    None once `asker` may not see the case any more. Neither a database connection nor a slot
    is held while waiting.
    """
    deadline = time.monotonic() + seconds
    while True:
        told = await run_in_threadpool(overview.describe_for, request.app.state.sessions, asker, case_id)
        if told is None or told.judged or time.monotonic() >= deadline or await request.is_disconnected():
            return told
        async with released(request.scope):
            await asyncio.sleep(POLL_SECONDS)
