"""Reading the event log of one case, in order, from where a reader stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.cases.schemas import EventRead
from backend.models.event import Event

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

MAX_AT_ONCE = 500


def read_after(sessions: sessionmaker[Session], case_id: UUID, seen: int) -> list[EventRead]:
    """Return the events of the case after the one numbered `seen`, oldest first."""
    query = (
        select(Event).where(Event.case_id == case_id, Event.id > seen).order_by(Event.id).limit(MAX_AT_ONCE)
    )
    with sessions() as session:
        return [EventRead.model_validate(event, from_attributes=True) for event in session.scalars(query)]
