"""Reading the event log of one case, in order, from where a reader stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.access import askers, decisions
from backend.cases.schemas import EventRead
from backend.models.event import Event

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from backend.access.askers import Asker

MAX_AT_ONCE = 500


def read_after(
    sessions: sessionmaker[Session], asker: Asker, case_id: UUID, seen: int
) -> list[EventRead] | None:
    """Return the events of the case after the one numbered `seen`, oldest first.

    None once `asker` may not see the case any more: a stream outlives the request that was let in.
    """
    query = (
        select(Event).where(Event.case_id == case_id, Event.id > seen).order_by(Event.id).limit(MAX_AT_ONCE)
    )
    with sessions() as session:
        now = askers.again(session, asker)
        if now is None or not decisions.sees(session, now, case_id):
            return None
        return [EventRead.model_validate(event, from_attributes=True) for event in session.scalars(query)]
