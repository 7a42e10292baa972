"""Which events go to which destinations: an outbox row becomes deliveries, all or none.

A destination receives what its owner sees at that time: who loses access to a case, or is disabled, receives
nothing of it from then on.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from backend.access import principals
from backend.access.decisions import finds, sees
from backend.core.outgoing_kinds import DISABLED
from backend.destinations.schemas import (
    CaseOfEvent,
    DestinationOfEvent,
    EventData,
    Message,
    SearchOfEvent,
    as_json,
    changes_of,
)
from backend.models.account import Account, Role
from backend.models.base import uuid7
from backend.models.case import Case
from backend.models.case_search import CaseSearch, SavedSearch
from backend.models.destination import Channel, Delivery, Destination, Outbox
from backend.models.event import Event
from backend.search.conditions import Asker, condition_of
from backend.search.language import QueryError, parse
from backend.search.matches import MATCHED
from backend.search.saved import sees_search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal

BATCH = 100
SEVERITIES = ("low", "medium", "high", "critical")


class Subscriber(NamedTuple):
    """A destination, on whose behalf it receives, and the query of its saved search."""

    destination: Destination
    owner: Principal
    query: str | None


def make_deliveries(session: Session) -> int:
    """Make deliveries of up to `BATCH` outbox rows and delete these; return their number.

    Any number of workers may do so: rows are taken with SKIP LOCKED.
    """
    taken = select(Outbox.event_id).order_by(Outbox.event_id).limit(BATCH).with_for_update(skip_locked=True)
    ids = session.scalars(taken).all()
    if not ids:
        return 0
    subscribers = _subscribers(session)
    query = select(Event, Case).join(Case, Case.id == Event.case_id).where(Event.id.in_(ids))
    for event, case in session.execute(query.order_by(Event.id)).all():
        for one in subscribers:
            if _wants(session, one, event, case):
                _deliver(session, one.destination, event, _data(session, one.destination, event, case))
    notices = select(Event).where(Event.id.in_(ids), Event.kind == DISABLED).order_by(Event.id)
    for event in session.scalars(notices).all():
        _deliver_notice(session, event, subscribers)
    session.execute(delete(Outbox).where(Outbox.event_id.in_(ids)))
    return len(ids)


def _subscribers(session: Session) -> Sequence[Subscriber]:
    query = (
        select(Destination, Account, SavedSearch.query)
        .join(Account, Account.id == Destination.owner_id)
        .outerjoin(SavedSearch, SavedSearch.id == Destination.search_id)
        .where(Destination.is_enabled, Destination.deleted_at.is_(None), Account.disabled_at.is_(None))
    )
    return [Subscriber(one, principals.standing_for(owner), q) for one, owner, q in session.execute(query)]


def _wants(session: Session, one: Subscriber, event: Event, case: Case) -> bool:
    to = one.destination
    if to.created_at > event.at or (to.kinds and event.kind not in to.kinds):
        return False
    if to.team_id is not None and to.team_id != event.team_id:
        return False
    if to.severity is not None and _rank(case.severity) < _rank(to.severity):
        return False
    if event.kind == MATCHED and not _is_own_match(session, one, event):
        return False
    return sees(session, one.owner, case.id) and _is_found(session, one, case)


def _is_own_match(session: Session, one: Subscriber, event: Event) -> bool:
    """Return whether the search of a match is the one of the destination, else one that its owner sees."""
    search_id = UUID(event.payload["search_id"])
    if one.destination.search_id is not None:
        return search_id == one.destination.search_id
    return (
        session.scalar(select(SavedSearch.id).where(SavedSearch.id == search_id, sees_search(one.owner)))
        is not None
    )


def _rank(severity: str | None) -> int:
    return SEVERITIES.index(severity) if severity in SEVERITIES else -1


def _is_found(session: Session, one: Subscriber, case: Case) -> bool:
    """Return whether the saved search of the destination finds the case; true without one."""
    if one.destination.search_id is None:
        return True
    if one.query is None:
        return False
    try:
        condition = condition_of(parse(one.query), Asker(one.owner.name, datetime.now(UTC)))
    except QueryError:
        # Saved by an older version, and read no more: nothing leaves by a filter that nobody understands.
        return False
    found = select(CaseSearch.case_id).where(CaseSearch.case_id == case.id, condition, finds(one.owner))
    return session.scalar(found) is not None


def _deliver_notice(session: Session, event: Event, subscribers: Sequence[Subscriber]) -> None:
    """Tell the owner of a destination, and admins, that it is disabled, by their other destinations.

    One that is for some cases only gets it where its kinds name it.
    """
    row = session.get(Destination, UUID(event.payload["destination_id"]))
    if row is None:
        return
    for one in subscribers:
        to = one.destination
        is_narrow = to.team_id is not None or to.severity is not None or to.search_id is not None
        is_asked = event.kind in to.kinds or not (to.kinds or is_narrow)
        may_act = to.owner_id == row.owner_id or one.owner.role is Role.ADMIN
        # GitHub takes issues about cases.
        if is_asked and may_act and to.created_at <= event.at and to.channel is not Channel.GITHUB:
            notice = DestinationOfEvent(
                id=row.id,
                name=row.name,
                reason=event.payload["reason"],
                url=f"{to.base_url}/settings/webhooks",
            )
            data = EventData(event=event.id, actor=event.actor, changed=[], case=None, destination=notice)
            _deliver(session, to, event, data)


def _deliver(session: Session, to: Destination, event: Event, data: EventData) -> None:
    message = Message(type=event.kind, timestamp=event.at, data=data)
    row = {"id": uuid7(), "destination_id": to.id, "event_id": event.id, "kind": event.kind}
    added = insert(Delivery).values(**row, body=as_json(message))
    session.execute(added.on_conflict_do_nothing(index_elements=["destination_id", "event_id"]))


def _search(session: Session, event: Event) -> SearchOfEvent | None:
    """Return the saved search of a match; None when it was deleted."""
    row = session.get(SavedSearch, UUID(event.payload["search_id"]))
    return None if row is None else SearchOfEvent(id=row.id, name=row.name, query=row.query)


def _data(session: Session, to: Destination, event: Event, case: Case) -> EventData:
    headline = case.title if case.headline is None else case.headline.text
    return EventData(
        event=event.id,
        actor=event.actor,
        changed=changes_of(event.kind, event.payload),
        search=_search(session, event) if event.kind == MATCHED else None,
        case=CaseOfEvent(
            id=case.id,
            number=case.number,
            headline=headline,
            status=case.status.value,
            severity=case.severity,
            url=f"{to.base_url}/cases/{case.number}",
        ),
    )
