"""Events of an incident: recorded, changed, deleted and restored by anyone who may change the case."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from backend.cases import service
from backend.core import events
from backend.core.errors import ConflictError, UnsupportedQueryError
from backend.models.case import Case, Status
from backend.models.incident_event import IncidentEvent, IncidentEventKind
from backend.postmortems.schemas_incident import IncidentEventRead

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

MAX_EVENTS = 500
"""Events of one case."""

STATUSES = {
    IncidentEventKind.STARTED: Status.INVESTIGATING,
    IncidentEventKind.DETECTED: Status.INVESTIGATING,
    IncidentEventKind.ACTION: Status.INVESTIGATING,
    IncidentEventKind.MITIGATED: Status.MITIGATED,
    IncidentEventKind.RESOLVED: Status.RESOLVED,
}
"""The status that an event implies; the status never goes back by an event."""

ORDER = list(Status)


def event_of_id(event_id: UUID, *, with_deleted: bool = False) -> Select[IncidentEvent]:
    """Return the query for one event that is not deleted."""
    query = select(IncidentEvent).join(Case, Case.id == IncidentEvent.case_id)
    query = query.where(IncidentEvent.id == event_id, Case.deleted_at.is_(None))
    return query if with_deleted else query.where(IncidentEvent.deleted_at.is_(None))


def absent(event_id: UUID) -> str:
    """Return the message for an event that does not exist or is not visible."""
    return f"there is no incident event {event_id}"


def events_of_case(session: Session, case: Case) -> list[IncidentEvent]:
    """Return the events of the case, by time."""
    query = select(IncidentEvent).where(IncidentEvent.case_id == case.id, IncidentEvent.deleted_at.is_(None))
    return list(session.scalars(query.order_by(IncidentEvent.at, IncidentEvent.id)))


def add(
    session: Session, case: Case, kind: IncidentEventKind, *, at: datetime | None, text: str, actor: str
) -> IncidentEvent:
    """Record an event, now or at a stated time, and the status it implies.

    Raises:
        UnsupportedQueryError: The case has very many events.
    """
    if len(events_of_case(session, case)) >= MAX_EVENTS:
        raise UnsupportedQueryError(f"a case has {MAX_EVENTS} events at most")
    happened = IncidentEvent(
        case_id=case.id, kind=kind, at=at or datetime.now(UTC), text=text.strip(), author=actor, editor=actor
    )
    session.add(happened)
    session.flush()
    _record(session, "incident.event_added", happened, actor)
    if ORDER.index(STATUSES[kind]) > ORDER.index(case.status):
        service.update(session, case, {"status": STATUSES[kind]}, actor=actor)
    return happened


def change(
    session: Session, happened: IncidentEvent, *, at: datetime, text: str, revision: int, actor: str
) -> None:
    """Set time and text of an event.

    Raises:
        ConflictError: It was changed since `revision`.
    """
    session.refresh(happened, with_for_update=True)
    if happened.revision != revision:
        raise ConflictError(
            f"{happened.editor} changed this event meanwhile; yours was not saved: load it again"
        )
    before = {"at": happened.at.isoformat(), "text": happened.text}
    if (at, text.strip()) == (happened.at, happened.text):
        return
    happened.at, happened.text, happened.editor = at, text.strip(), actor
    happened.revision, happened.updated_at = revision + 1, datetime.now(UTC)
    session.flush()
    _record(session, "incident.event_changed", happened, actor, before=before)


def delete(session: Session, happened: IncidentEvent, *, actor: str) -> None:
    """Delete the event; the status of the case stays."""
    happened.deleted_at = datetime.now(UTC)
    session.flush()
    _record(session, "incident.event_deleted", happened, actor)


def restore(session: Session, happened: IncidentEvent, *, actor: str) -> None:
    """Restore the event; no effect on one that is not deleted."""
    if happened.deleted_at is None:
        return
    happened.deleted_at = None
    session.flush()
    _record(session, "incident.event_restored", happened, actor)


def describe(happened: IncidentEvent) -> IncidentEventRead:
    """Return the API representation of the event."""
    return IncidentEventRead(
        id=happened.id,
        kind=happened.kind,
        at=happened.at,
        text=happened.text,
        author=happened.author,
        editor=happened.editor,
        revision=happened.revision,
    )


def deciding(happened: Iterable[IncidentEvent], kind: IncidentEventKind) -> IncidentEvent | None:
    """Return the event that states a time of the incident: the earliest start or detection, else the last."""
    of_kind = [one for one in happened if one.kind is kind]
    if not of_kind:
        return None
    is_first = kind in {IncidentEventKind.STARTED, IncidentEventKind.DETECTED}
    return of_kind[0] if is_first else of_kind[-1]


def _record(session: Session, kind: str, happened: IncidentEvent, actor: str, **more: Any) -> None:
    payload = {
        "event_id": str(happened.id),
        "kind": happened.kind.value,
        "at": happened.at.isoformat(),
        "text": happened.text,
        "revision": happened.revision,
        **more,
    }
    events.record(session, kind, case_id=happened.case_id, actor=actor, payload=payload)
