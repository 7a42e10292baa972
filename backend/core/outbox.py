"""Outbox: events that are still to leave the service, written in the transaction of the event.

A row says that no destination was looked up for the event yet; `backend.destinations` makes deliveries of it.
Nothing is written while there is no enabled destination. The job that sends is queued with the rows, one per
case, so that transactions on different cases do not wait for each other; the reaper queues one for the rest.

Source: https://microservices.io/patterns/data/transactional-outbox.html
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, ForeignKey, event, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.core import events
from backend.core.db.base import Base, HasCreatedAt
from backend.core.domain_events import publish
from backend.core.outgoing_kinds import OUTGOING

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

_WRITE = text("""
    insert into outbox (event_id) select unnest(cast(:ids as bigint[]))
    where exists (select from destination where is_enabled and deleted_at is null)
    returning event_id
""")


@dataclass(frozen=True, slots=True)
class SendingDue:
    """There is something to send; `case_id`: what an event of this case left, None for anything."""

    case_id: UUID | None = None


class Outbox(HasCreatedAt, Base):
    """One event whose destinations are not looked up yet."""

    __tablename__ = "outbox"

    event_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("event.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )


def watch(sessions: sessionmaker[Session]) -> None:
    """Write the outbox of every session of `sessions` at its commit, after its events."""
    event.listen(sessions, "before_commit", _write)


def _write(session: Session) -> None:
    leaving = [one for one in events.take_written(session) if one.kind in OUTGOING]
    if not leaving:
        return
    if session.execute(_WRITE, {"ids": [one.id for one in leaving]}).first() is None:
        return
    for case_id in sorted({one.case_id for one in leaving if one.case_id is not None}):
        publish(session, SendingDue(case_id))
    if any(one.case_id is None for one in leaving):
        publish(session, SendingDue())
