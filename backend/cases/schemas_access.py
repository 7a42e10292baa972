"""Requests and responses of the case access endpoints."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.request_body import RequestBody
from backend.models.case import Visibility


class PersonRead(BaseModel):
    """An account: id and name."""

    id: UUID
    name: str


class TeamRead(BaseModel):
    """A team: id and name."""

    id: UUID
    name: str


class LinkRead(BaseModel):
    """A link that opens a case; its secret was shown once, at creation."""

    id: UUID
    created_at: datetime
    expires_at: datetime | None


class CaseAccess(BaseModel):
    """Access to a case, and the permissions of the caller; `links` is listed to those who may share it."""

    visibility: Visibility
    team: TeamRead | None
    owner: PersonRead | None
    people: list[PersonRead]
    links: list[LinkRead]
    may_change: bool
    may_share: bool


class CaseAccessUpdate(RequestBody):
    """New visibility and team of a case; without a team, `team` means everyone who is signed in."""

    visibility: Visibility
    team_id: UUID | None = None


class LinkCreate(RequestBody):
    """A new link; without `days` it is valid until revoked."""

    days: int | None = Field(default=30, ge=1, le=365)


class LinkCreated(BaseModel):
    """A link with its URL, shown once."""

    id: UUID
    url: str


class LinkOpen(RequestBody):
    """The secret of a link: the part after `#` in its URL."""

    secret: str = Field(min_length=1, max_length=200)


class LinkOpened(BaseModel):
    """The case that a link opened."""

    number: int
