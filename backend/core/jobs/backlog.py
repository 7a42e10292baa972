"""A limit on the queued work of one sender: asked before evidence is taken, never of what was promised."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sqlalchemy import func, select, text

from backend.core.errors import QueueFullError
from backend.core.jobs import job_sender
from backend.core.jobs.broker import QUEUES
from backend.core.jobs.job import Job

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings

RETRY_SHARE = 0.1
"""Come back when so much of what waits is done."""
RETRY_SECONDS = (5, 300)


def require_room(session: Session, settings: Settings) -> None:
    """Refuse more evidence from a sender of whom as much work waits as may.

    What one request brings is taken whole: the limit may be passed by it.

    Raises:
        QueueFullError: It does.
    """
    sender = job_sender.of(session)
    is_guest = job_sender.is_guest(sender)
    most = settings.queued_per_guest if is_guest else settings.queued_per_sender
    queued = (
        select(Job.cost_ms)
        .where(Job.queue.in_(QUEUES), Job.sender == sender, Job.state == text("'queued'"))
        .limit(most)
        .subquery()
    )
    count, cost_ms = session.execute(select(func.count(), func.coalesce(func.sum(queued.c.cost_ms), 0))).one()
    seconds = cost_ms / 1000
    if count < most and seconds < settings.queued_seconds_per_sender:
        return
    least, longest = RETRY_SECONDS
    raise QueueFullError(
        f"{count:,} jobs of this sender wait, some {math.ceil(seconds):,} s of work; "
        f"at most {most:,} jobs and {settings.queued_seconds_per_sender:,} s may: send the rest later",
        retry_after_seconds=min(longest, max(least, math.ceil(seconds * RETRY_SHARE))),
    )
