"""Job `destinations.send`: makes deliveries of the outbox and sends what is due.

It is queued with each event that leaves, and by the reaper for retries and for what a kill left behind.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from backend.core.domain_events import subscribes
from backend.core.jobs.queue import enqueue, handler
from backend.core.outbox import SendingDue
from backend.destinations import delivering, subscriptions

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run

SEND_JOB = "destinations.send"
SENDER = "destinations"
"""Sender of the jobs: a receiver that stalls does not use the share of who caused the event."""

RUN_SECONDS = 30.0
"""After so long the worker takes another job; the reaper queues this one again."""


@subscribes(SendingDue)
def queue_sending(session: Session, event: SendingDue) -> None:
    """Queue the job that makes deliveries and sends what is due."""
    key = SEND_JOB if event.case_id is None else f"{SEND_JOB}:{event.case_id}"
    enqueue(session, SEND_JOB, key=key, sender=SENDER)


@handler(SEND_JOB)
def send_due(run: Run) -> None:
    """Make deliveries, and send until nothing is due or the time is over."""
    ends_at = time.monotonic() + RUN_SECONDS

    def goes_on() -> bool:
        run.check()
        return time.monotonic() < ends_at

    while goes_on():
        with run.session() as session:
            made = subscriptions.make_deliveries(session)
        if made < subscriptions.BATCH:
            break
    while goes_on() and delivering.send_to_next(run.sessions, run.settings, goes_on=goes_on):
        pass
