"""What the endpoints about stories take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

MAX_TITLE_CHARS = 300
MAX_TEXT_CHARS = 200_000
MAX_FIX_CHARS = 2000
MAX_SYMPTOMS = 12
MAX_LINKS = 20
AREA = r"^([a-z][a-z0-9-]{0,29})?$"

Symptom = Annotated[str, Field(min_length=1, max_length=200)]


class StoryText(BaseModel):
    """All that a story says, with the signatures and cases it speaks of and what cured it."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(default="", max_length=MAX_TITLE_CHARS)
    area: str = Field(default="", pattern=AREA, examples=["mm"])
    symptoms: list[Symptom] = Field(default=[], max_length=MAX_SYMPTOMS)
    signatures: list[Annotated[str, Field(max_length=150)]] = Field(default=[], max_length=MAX_LINKS)
    cases: list[int] = Field(default=[], max_length=MAX_LINKS)
    fix: str = Field(default="", max_length=MAX_FIX_CHARS)
    text: str = Field(default="", max_length=MAX_TEXT_CHARS, description="Markdown")


class DraftSave(StoryText):
    """What the draft says now; savings with the same `sitting` by the same person are one revision."""

    sitting: str = Field(default="", max_length=40)


class Linked(BaseModel):
    """A signature that a story speaks of."""

    id: str
    title: str


class LinkedCase(BaseModel):
    """A case that a story speaks of, of those that whoever asks sees."""

    number: int
    title: str


class StoryRead(BaseModel):
    """A story as everybody reads it: Markdown as typed, never HTML.

    `may_edit` says whether whoever asks sees the text in the making.
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


class DraftTeam(BaseModel):
    """The team that sees a draft beside its author."""

    model_config = ConfigDict(extra="forbid")

    team_id: UUID | None = None


class DraftRead(StoryRead):
    """A story in the making: its latest revision, and how it stands.

    `version` is the `ETag`, for `If-Match`. `team_id` names who sees it beside its author. `closed_cases` are
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
    """One story in the making, as a list shows it."""

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
    """One story that speaks of a case; one that is not published is told to those who see its draft."""

    number: int
    slug: str
    title: str
    author: str
    is_published: bool
    evidence_id: UUID | None = Field(description="The evidence that it came as, when it did")


class RevisionSummary(BaseModel):
    """One revision in the list of them."""

    number: int
    editor: str
    created_at: datetime
    title: str
    size_chars: int
    is_published: bool


class RevisionRead(BaseModel):
    """One revision: all that the story said."""

    number: int
    editor: str
    created_at: datetime
    content: StoryText


class ChangedLine(BaseModel):
    """One line of a difference; `gap` stands for lines left out that are the same in both."""

    kind: Literal["same", "added", "removed", "gap"]
    text: str


class RevisionDifference(BaseModel):
    """What changed from revision `base` (0: nothing) to `number`, line by line of the story as a file."""

    base: int
    number: int
    added: int
    removed: int
    lines: list[ChangedLine]


class Publish(BaseModel):
    """Which revision everybody shall read: the one that was looked at."""

    model_config = ConfigDict(extra="forbid")

    revision: int
