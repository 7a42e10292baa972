"""Request and response schemas of notes and the timeline."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field

from backend.core.http.envelope import Listed
from backend.core.http.request_body import RequestBody
from backend.postmortems.schemas_incident import IncidentEventRead

MAX_NOTE_CHARS = 50_000


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("a note cannot be empty")
    return text


NoteText = Annotated[str, Field(max_length=MAX_NOTE_CHARS), AfterValidator(_not_blank)]


class NoteCreate(RequestBody):
    """A new note, in Markdown."""

    text: NoteText


class NoteUpdate(RequestBody):
    """The new text of a note, and the `revision` that was loaded."""

    text: NoteText
    revision: int = Field(description="The loaded revision; later changes of other paragraphs are merged")


class NoteRead(BaseModel):
    """One note: Markdown as typed, never HTML."""

    id: UUID
    case_id: UUID
    text: str
    author: str
    editor: str
    revision: int
    created_at: datetime
    updated_at: datetime
    is_deleted: bool


class NoteVersionRead(BaseModel):
    """One version of a note; the latest one is the note itself."""

    revision: int
    editor: str
    text: str
    created_at: datetime


class EntryLink(BaseModel):
    """A link of an entry: an absolute URL of the web, or a path of this service."""

    label: str
    url: str


class TimelineEntry(BaseModel):
    """One entry of the timeline.

    `at` is the recorded time of a recording, else the time of the action in Casebook.
    `until` ends a stretch. `says` is one sentence; `text` is what was written: the Markdown of a note, the
    remark of a label, the message of an alarm. `line` is the first line of an alarm in its evidence, else 0.
    `clock`: whose clock `at` is of: `casebook`, a person (`stated`), what sent an alert (`alerts`), or the
    machine `host`. `links` lead to the source of an alert, its runbook, or another case. `uncertainty_s`:
    by how much `at` may be off on it. `is_order_undecided`: an entry on another clock is so near that either
    may have been first.
    """

    id: str
    at: datetime
    until: datetime | None = None
    kind: Literal[
        "alert",
        "case",
        "evidence",
        "recording",
        "alarm",
        "finding",
        "label",
        "note",
        "capture",
        "handoff",
        "incident",
    ]
    says: str
    text: str = ""
    actor: str = ""
    evidence_id: UUID | None = None
    line: int = 0
    note: NoteRead | None = None
    event: IncidentEventRead | None = None
    clock: Literal["alerts", "casebook", "stated", "host"] = "casebook"
    uncertainty_s: float = 0.0
    is_order_undecided: bool = False
    signature: str = ""
    host: str = ""
    links: list[EntryLink] = []


class UntimedRead(BaseModel):
    """Evidence without a recording time."""

    evidence_id: UUID
    name: str


class TimelineRead(Listed[TimelineEntry]):
    """Timeline entries, oldest first, and undated evidence."""

    untimed: list[UntimedRead]
