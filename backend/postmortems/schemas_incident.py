"""Requests and responses of the events and times of an incident."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field

from backend.core.http.request_body import Line, RequestBody
from backend.models.incident_event import IncidentEventKind

EARLIEST = datetime(1991, 9, 17, tzinfo=UTC)
"""Linux 0.01: no incident of a Linux kernel is older."""

FUTURE = timedelta(days=366)
MAX_TEXT_CHARS = 1000


def _plausible(at: datetime) -> datetime:
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    # The year 1 in an eastern time zone is before the first that can be converted.
    if not EARLIEST <= at <= datetime.now(UTC) + FUTURE:
        raise ValueError("must lie between 1991 and a year from now")
    return at.astimezone(UTC)


EventTime = Annotated[datetime, AfterValidator(_plausible)]
EventText = Annotated[Line, Field(max_length=MAX_TEXT_CHARS)]


class IncidentEventCreate(RequestBody):
    """A new event; without `at` it happens now. `mitigated` and `resolved` set the status of the case."""

    kind: IncidentEventKind
    at: EventTime | None = None
    text: EventText = ""


class IncidentEventUpdate(RequestBody):
    """The new time and text of an event, and the `revision` that was loaded."""

    at: EventTime
    text: EventText = ""
    revision: int


class IncidentEventRead(BaseModel):
    """One event that somebody recorded."""

    id: UUID
    kind: IncidentEventKind
    at: datetime
    text: str
    author: str
    editor: str
    revision: int


class IncidentTime(BaseModel):
    """A time of the incident.

    `event_id`: the event that states it; without one the time is proposed, because of `says`: a line of
    `evidence_id` with the message `text`, or what happened in Casebook. `at` is null where nothing states or
    suggests a time.
    """

    kind: IncidentEventKind
    at: datetime | None = None
    is_proposed: bool = False
    event_id: UUID | None = None
    says: str = ""
    text: str = ""
    evidence_id: UUID | None = None
    line: int = 0


class IncidentRead(BaseModel):
    """Times of the incident (start, detection, mitigation, resolution), and its events, oldest first."""

    times: list[IncidentTime]
    events: list[IncidentEventRead]
