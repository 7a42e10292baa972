"""Request and response schemas of stories."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.request_body import Line, RequestBody

MAX_TITLE_CHARS = 300
MAX_TEXT_CHARS = 200_000
MAX_FIX_CHARS = 2000
MAX_SYMPTOMS = 12
MAX_LINKS = 20
AREA = r"^([a-z][a-z0-9-]{0,29})?$"

Symptom = Annotated[str, Field(min_length=1, max_length=200)]


class StoryText(RequestBody):
    """The content of a story with its signatures, cases and fix."""

    title: Line = Field(default="", max_length=MAX_TITLE_CHARS)
    area: str = Field(default="", pattern=AREA, examples=["mm"])
    symptoms: list[Symptom] = Field(default=[], max_length=MAX_SYMPTOMS)
    signatures: list[Annotated[str, Field(max_length=150)]] = Field(default=[], max_length=MAX_LINKS)
    cases: list[int] = Field(default=[], max_length=MAX_LINKS)
    fix: str = Field(default="", max_length=MAX_FIX_CHARS)
    text: str = Field(default="", max_length=MAX_TEXT_CHARS, description="Markdown")


class DraftSave(StoryText):
    """The draft to save; saves of one person with the same `sitting` share a revision."""

    sitting: str = Field(default="", max_length=40)


class Linked(BaseModel):
    """A signature linked from a story."""

    id: str
    title: str


class LinkedCase(BaseModel):
    """A visible case linked from a story."""

    number: int
    title: str


class StoryRead(BaseModel):
    """A story as everybody reads it: Markdown as typed, never HTML.

    `may_edit` says whether the principal may see and edit the draft.
    """

    id: UUID
    number: int
    slug: str
    title: str
    area: str
    symptoms: list[str]
    signatures: list[Linked]
    cases: list[LinkedCase]
    fix: str
    text: str
    author: str
    revision: int
    published_at: datetime | None
    published_by: str
    may_edit: bool


class DraftTeam(RequestBody):
    """The team that sees a draft beside its author."""

    team_id: UUID | None = None


class DraftRead(StoryRead):
    """A draft: its latest revision and its state.

    `version` is the `ETag`, for `If-Match`. `team_id` is the team that sees it too. `closed_cases` are
    numbers of cases it speaks of that not everybody sees.
    """

    version: int
    editor: str
    team_id: UUID | None
    created_at: datetime
    updated_at: datetime
    published_revision: int | None
    is_offered: bool
    is_own: bool
    may_publish: bool
    closed_cases: list[int]


class DraftSummary(BaseModel):
    """List entry of a draft."""

    number: int
    slug: str
    title: str
    author: str
    editor: str
    updated_at: datetime
    revision: int
    published_revision: int | None
    is_offered: bool
    is_own: bool


class StorySummary(BaseModel):
    """List entry of a story linked to a case; drafts only if visible."""

    number: int
    slug: str
    title: str
    author: str
    is_published: bool
    evidence_id: UUID | None = Field(description="The source evidence, if any")


class RevisionSummary(BaseModel):
    """List entry of a revision."""

    number: int
    editor: str
    created_at: datetime
    title: str
    size_chars: int
    is_published: bool


class RevisionRead(BaseModel):
    """One revision with its content."""

    number: int
    editor: str
    created_at: datetime
    content: StoryText


class ChangedLine(BaseModel):
    """One line of a diff; `gap` stands for omitted equal lines."""

    kind: Literal["same", "added", "removed", "gap"]
    text: str


class RevisionDifference(BaseModel):
    """Diff from revision `base` (0: empty) to `number`, by line of the story file."""

    base: int
    number: int
    added: int
    removed: int
    lines: list[ChangedLine]


class Publish(RequestBody):
    """The reviewed revision to publish."""

    revision: int
