"""Requests and responses of the case endpoints."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.event_kinds import Resource
from backend.core.http import wire_models  # noqa: F401 - configures wire values
from backend.core.http.request_body import Line, RequestBody
from backend.models.case import Visibility
from signatures.documents.overview import CaseHeadlineDocument

CaseState = Literal["open", "closed"]
Severity = Literal["critical", "high", "medium", "low"]
CaseSort = Literal["-created_at", "created_at", "-updated_at", "updated_at", "title", "-number"]


class CaseCreate(RequestBody):
    """A new case; without a title it is named after its first evidence."""

    title: Line = Field(default="", max_length=300)


class Resolution(RequestBody):
    """Resolution of a case: cause, its signature if in the library, and the fix."""

    cause: str = Field(default="", max_length=2000)
    signature: Line = Field(default="", max_length=200)
    fix: str = Field(default="", max_length=2000)


class CaseUpdate(RequestBody):
    """Changes to a case; absent fields are unchanged."""

    title: Line | None = Field(default=None, min_length=1, max_length=300)
    state: CaseState | None = None
    severity: Severity | None = None
    resolution: Resolution | None = None


class CaseRead(BaseModel):
    """One case, with its counts and headline.

    `judged`: the findings cover all evidence that has arrived, and nothing is being read. `arriving_count`:
    files that are partly uploaded. `unread_count`: files that were not read (rejected, failed or cancelled).
    `resolution` survives reopening until changed. `expires_at`: when a guest's case is deleted permanently.
    `headline`: null before the first judgement.
    `version` covers only the fields people edit (`title`, `state`, `severity`, `resolution`): use it for
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
    headline: CaseHeadlineDocument | None


class EventRead(BaseModel):
    """One entry of the event log of a case; `id` resumes a stream as `Last-Event-ID`.

    `changes` lists the sub-resources of the case to fetch again, by the last segment of their path; `case` is
    the case itself.
    """

    id: int
    at: datetime
    kind: str
    actor: str
    is_system: bool
    payload: dict[str, Any]
    changes: list[Resource]
