"""Requests and responses of destinations, and what is sent to a webhook."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, get_args
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from backend.core.http.request_body import Line, RequestBody
from backend.models.destination import Channel, DeliveryState

MAX_URL, MAX_TEMPLATE = 2000, 2000
Kind = Literal[
    "alert.fired",
    "alert.resolved",
    "case.created",
    "case.changed",
    "case.deleted",
    "case.restored",
    "destination.disabled",
    "evidence.failed",
    "evidence.read",
    "findings.judged",
    "handoff.accepted",
    "handoff.answered",
    "handoff.closed",
    "handoff.offered",
    "handoff.ready",
    "hunt.changed",
    "incident.event_added",
    "note.written",
    "search.matched",
]
"""The keys of `backend.core.outgoing_kinds`; a test compares."""

KINDS: tuple[str, ...] = get_args(Kind)
Severity = Literal["critical", "high", "medium", "low"]
Kinds = Annotated[list[Kind], Field(max_length=len(KINDS))]
Url = Annotated[Line, Field(max_length=MAX_URL)]
Token = Annotated[Line, Field(max_length=500)]
Target = Annotated[Line, Field(max_length=200)]
Template = Annotated[str, Field(max_length=MAX_TEMPLATE)]
Name = Annotated[Line, Field(min_length=1, max_length=100)]


class DestinationCreate(RequestBody):
    """Where to send events; without `kinds` all kinds, the other filters narrow that.

    `url`: of a webhook, an incoming webhook of Slack, a workflow of Teams, or a URL of Apprise.
    `token`, `target`: of a bot and its channel in Slack, or of GitHub and its `owner/repository`.
    `template`: text with `{headline}`, `{number}`, `{status}`, `{severity}`, `{url}`, `{event}`, `{actor}`.
    """

    name: Name
    channel: Channel = Channel.WEBHOOK
    url: Url = ""
    token: Token = ""
    target: Target = ""
    template: Template = ""
    kinds: Kinds = Field(default_factory=list)
    team_id: UUID | None = None
    severity: Severity | None = None
    search_id: UUID | None = None


class DestinationUpdate(RequestBody):
    """Fields to change; `is_enabled` resumes a destination that was disabled."""

    name: Name | None = None
    url: Url | None = None
    token: Token | None = None
    target: Target | None = None
    template: Template | None = None
    kinds: Kinds | None = None
    team_id: UUID | None = None
    severity: Severity | None = None
    search_id: UUID | None = None
    is_enabled: bool | None = None


class DestinationRead(BaseModel):
    """A destination.

    `url`: without credentials, but of webhooks.
    `team`, `search`: names of what its filters refer to, null if that is gone: it then receives nothing.
    `disabled_reason`: why the service disabled it, "" when a person did. `pending`, `failed`: deliveries.
    """

    id: UUID
    name: str
    channel: Channel
    url: str
    template: str
    owner: str
    is_mine: bool
    kinds: list[str]
    team_id: UUID | None
    team: str | None
    severity: str | None
    search_id: UUID | None
    search: str | None
    is_enabled: bool
    disabled_reason: str
    failing_since: datetime | None
    pending: int
    failed: int
    created_at: datetime


class DestinationCreated(BaseModel):
    """A destination, and the signing secret of a webhook, which is shown once; null for others."""

    destination: DestinationRead
    secret: str | None


class DeliveryRead(BaseModel):
    """One event for one destination; `id` is the header `webhook-id`, the same in every attempt.

    `status`, `response`: of the last response, its body cut to 1,024 characters. `error`: why the last
    attempt failed. `next_at`: the next attempt, null unless pending.
    """

    model_config = ConfigDict(from_attributes=True)

    id: UUID
    kind: str
    event_id: int | None
    state: DeliveryState
    attempts: int
    next_at: datetime | None
    status: int | None
    response: str
    error: str
    duration_ms: int | None
    created_at: datetime
    ended_at: datetime | None


class Replayed(BaseModel):
    """How many deliveries are sent again."""

    count: int


class CaseOfEvent(BaseModel):
    """The case as it was when the message was made; `headline` is its title until it was judged."""

    id: UUID
    number: int
    headline: str
    status: str
    severity: str | None
    url: str


class SearchOfEvent(BaseModel):
    """A saved search that newly finds the case."""

    id: UUID
    name: str
    query: str


class DestinationOfEvent(BaseModel):
    """A destination that was disabled, why, and the page where it is enabled again."""

    id: UUID
    name: str
    reason: str
    url: str


class EventData(BaseModel):
    """What happened; `event`, `case` and `actor` are null in a test.

    `version`: of the payload, which may grow fields within one.

    `event`: id in the event log. `changed`: names of the fields that `case.changed` changed. `search`: of
    `search.matched`. `destination`: of `destination.disabled`, which has no case.
    """

    version: Literal[1] = 1
    event: int | None
    actor: str | None
    changed: list[str]
    case: CaseOfEvent | None
    search: SearchOfEvent | None = None
    destination: DestinationOfEvent | None = None


class Message(BaseModel):
    """The body of a webhook."""

    type: str
    timestamp: datetime
    data: EventData


def as_json(message: Message) -> str:
    """Return the body as it is sent."""
    return message.model_dump_json()


def changes_of(kind: str, payload: dict[str, Any]) -> list[str]:
    """Return the names of the changed fields."""
    return sorted(payload) if kind == "case.changed" else []
