"""What the reaper does for destinations: queues the job for what is due, and shortens the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.domain_events import publish
from backend.core.outbox import SendingDue
from backend.destinations import delivering

if TYPE_CHECKING:
    from sqlalchemy.orm import Session, sessionmaker


def wake(sessions: sessionmaker[Session]) -> None:
    """Queue the sending job if something is due."""
    with sessions.begin() as session:
        delivering.clear_old(session)
        if delivering.is_due(session):
            publish(session, SendingDue())
