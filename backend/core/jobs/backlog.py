"""Limits the queued work of one sender: checked before evidence is accepted, not for announced uploads."""

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

LIGHT = "light"
RETRY_SHARE = 0.1
"""Share of the queue to finish before the suggested retry."""
RETRY_SECONDS = (5, 300)


def require_room(session: Session, settings: Settings) -> None:
    """Refuse more evidence from a sender whose queue is full, or whose light jobs wait too long.

    The age bounds the intake by what the workers finish: without it the evidence of a flood is accepted at
    the expense of everybody who reads. One request is accepted as a whole: it may exceed the limit.

    Raises:
        QueueFullError: The queue of the sender is full.
    """
    sender = job_sender.of(session)
    is_guest = job_sender.is_guest(sender)
    most = settings.queued_per_guest if is_guest else settings.queued_per_sender
    queued = (
        select(Job.cost_ms, Job.run_after.label("due"), Job.queue)
        .where(Job.queue.in_(QUEUES), Job.sender == sender, Job.state == text("'queued'"))
        .limit(most)
        .subquery()
    )
    oldest = func.min(queued.c.due).filter(queued.c.queue == LIGHT)
    count, cost_ms, age_seconds = session.execute(
        select(
            func.count(),
            func.coalesce(func.sum(queued.c.cost_ms), 0),
            func.coalesce(func.extract("epoch", func.statement_timestamp() - oldest), 0),
        )
    ).one()
    seconds = cost_ms / 1000
    if age_seconds > settings.queued_age_seconds:
        raise QueueFullError(
            f"the oldest of {count:,} queued jobs of this sender has waited for {age_seconds:,.0f} s "
            f"(limit: {settings.queued_age_seconds:,} s); send the rest later",
            retry_after_seconds=RETRY_SECONDS[0],
        )
    if count < most and seconds < settings.queued_seconds_per_sender:
        return
    least, longest = RETRY_SECONDS
    raise QueueFullError(
        f"{count:,} jobs of this sender are queued, about {math.ceil(seconds):,} s of work "
        f"(limits: {most:,} jobs, {settings.queued_seconds_per_sender:,} s); send the rest later",
        retry_after_seconds=min(longest, max(least, math.ceil(seconds * RETRY_SHARE))),
    )
