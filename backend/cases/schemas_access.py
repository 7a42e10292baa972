"""What the endpoints about who sees a case take and give."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from backend.models.case import Visibility


class PersonRead(BaseModel):
    """An account by its name."""

    id: UUID
    name: str


class TeamRead(BaseModel):
    """A team by its name."""

    id: UUID
    name: str


class LinkRead(BaseModel):
    """A link that opens a case; its secret was told when it was made, and never again."""

    id: UUID
    created_at: datetime
    expires_at: datetime | None


class CaseAccess(BaseModel):
    """Who sees a case, and what whoever asks may do; `links` is told to those who may share it."""

    visibility: Visibility
    team: TeamRead | None
    owner: PersonRead | None
    people: list[PersonRead]
    links: list[LinkRead]
    may_change: bool
    may_share: bool


class CaseAccessUpdate(BaseModel):
    """Who shall see a case; without a team, `team` is everybody who is signed in."""

    model_config = ConfigDict(extra="forbid")

    visibility: Visibility
    team_id: UUID | None = None


class LinkCreate(BaseModel):
    """A new link; without days it holds until it is ended."""

    model_config = ConfigDict(extra="forbid")

    days: int | None = Field(default=30, ge=1, le=365)


class LinkMade(BaseModel):
    """A link with its address, told this once."""

    id: UUID
    url: str


class LinkOpen(BaseModel):
    """The secret of a link: what stands behind `#` in its address."""

    model_config = ConfigDict(extra="forbid")

    secret: str = Field(min_length=1, max_length=200)


class LinkOpened(BaseModel):
    """The case that a link opened."""

    number: int
