"""What the case endpoints take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from backend.core.event_kinds import Resource
from backend.models.case import Visibility

CaseState = Literal["open", "closed"]
Severity = Literal["critical", "high", "medium", "low"]
CaseSort = Literal["-created_at", "created_at", "-updated_at", "updated_at", "title", "-number"]


class CaseCreate(BaseModel):
    """A new case; without a title it takes one from its first evidence."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(default="", max_length=300)


class Resolution(BaseModel):
    """How a case ended: what it was, the signature if it is in the library, and what cured it."""

    model_config = ConfigDict(extra="forbid")

    cause: str = Field(default="", max_length=2000)
    signature: str = Field(default="", max_length=200)
    fix: str = Field(default="", max_length=2000)


class CaseUpdate(BaseModel):
    """What a person may change about a case; absent fields stay."""

    model_config = ConfigDict(extra="forbid")

    title: str | None = Field(default=None, min_length=1, max_length=300)
    state: CaseState | None = None
    severity: Severity | None = None
    resolution: Resolution | None = None


class Headline(BaseModel):
    """The finding that says most about the case."""

    verdict: str
    signature: str
    title: str
    severity: str
    confidence: float | None
    coverage: float


class CaseRead(BaseModel):
    """One case as lists and headers show it.

    `judged` is true when the findings speak of all evidence that has arrived and nothing is being read.
    `arriving_count` is how many files are on their way: some of their bytes are here, not all.
    `unread_count` is how many could not be read: rejected or failed. `resolution` outlives reopening, until
    somebody says otherwise. `expires_at` is when it goes for good, of a case sent without signing in.
    `version` is of what people write, `title`, `state`, `severity` and `resolution`, and of nothing else: for
    `If-Match` while evidence is still being read.
    """

    id: UUID
    number: int
    version: str
    title: str
    state: CaseState
    severity: Severity | None
    created_at: datetime
    updated_at: datetime
    evidence_count: int
    reading_count: int
    unread_count: int
    arriving_count: int
    judged: bool
    visibility: Visibility
    closed_at: datetime | None
    expires_at: datetime | None
    resolution: Resolution | None
    hosts: list[str]
    headline: Headline | None


class CasePage(BaseModel):
    """One page of cases; `next_cursor` is null on the last."""

    items: list[CaseRead]
    next_cursor: str | None


class EventRead(BaseModel):
    """One entry of the event log of a case; `id` resumes a stream as `Last-Event-ID`.

    `changes` names the answers below the case to read again, by the names of their paths; `case` is itself.
    """

    id: int
    at: datetime
    kind: str
    actor: str
    is_system: bool
    payload: dict[str, Any]
    changes: list[Resource]
