"""What the endpoints about handoffs take and give: to senders everything, to recipients pseudonyms only."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

MAX_TEXT_CHARS = 20_000
MAX_DAYS = 365
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TEXT_CHARS)]
State = Literal["preparing", "failed", "ready", "offered", "accepted", "answered", "closed"]


class _Taken(BaseModel):
    model_config = ConfigDict(extra="forbid")


class HandoffCreate(_Taken):
    """To whom, what is wanted of them, and which evidence goes along; without `evidence_ids` all."""

    recipient: Name
    question: Annotated[str, Field(max_length=MAX_TEXT_CHARS)] = ""
    evidence_ids: list[UUID] = []
    with_notes: bool = True


class HandoffOffer(_Taken):
    """Make a link: for how many days, and how often it may be opened (`null`: as often as wanted).

    `is_reviewed` says that places where a name may still stand were looked at; without such places it is not
    needed.
    """

    days: Annotated[int, Field(ge=1, le=MAX_DAYS)] = 14
    views: Annotated[int, Field(ge=1, le=10_000)] | None = None
    is_reviewed: bool = False


class MessageCreate(_Taken):
    """What the sender says; it is sent as it is, not redacted."""

    text: Text


class ShareOpen(_Taken):
    """The secret of a link."""

    secret: Annotated[str, Field(min_length=1, max_length=200)]


class SharedMessage(_Taken):
    """What a recipient says, and who they are."""

    name: Name
    text: Text


class SharedAccept(_Taken):
    """Who takes the case over."""

    name: Name


class MessageRead(BaseModel):
    """One message."""

    id: UUID
    author: str
    from_recipient: bool
    text: str
    at: datetime


class HandedRead(BaseModel):
    """One redacted text; `counts` is kind of name to how many were replaced in it."""

    number: int
    name: str
    path: str
    sha256: str
    size_bytes: int
    lines: int
    changed: int
    counts: dict[str, int]
    evidence_id: UUID | None = None


class DifferenceOfVerdict(BaseModel):
    """A verdict that leaving evidence out (`omission`) or replacing names (`redaction`) changed."""

    cause: Literal["omission", "redaction"]
    signature: str
    title: str
    before: str
    after: str
    what: list[str]


class LeakRead(BaseModel):
    """A place where an independent look still sees a name."""

    where: str
    line: int
    what: str
    written: str


class LeftOut(BaseModel):
    """Evidence that cannot be handed over, and why."""

    name: str
    reason: str


class RedactionRead(BaseModel):
    """What redaction did: how often each kind was replaced, and how many different names there were."""

    counts: dict[str, int]
    kinds: dict[str, int]
    kept_words: list[str]
    left_out: list[LeftOut]
    pieces: list[HandedRead]
    verdicts: dict[str, int]
    differences: list[DifferenceOfVerdict]
    leaks: list[LeakRead]


class ShareRead(BaseModel):
    """One link; its secret is not told again."""

    id: UUID
    created_by: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    views: int
    views_left: int | None
    opened_at: datetime | None


class HandoffRead(BaseModel):
    """One handoff, as its sender sees it; `redaction` and `summary` are there once it is ready."""

    id: UUID
    state: State
    recipient: str
    question: str
    author: str
    reason: str
    created_at: datetime
    title: str
    summary: str
    bundle_sha256: str | None
    bundle_bytes: int | None
    redaction: RedactionRead | None
    shares: list[ShareRead]
    messages: list[MessageRead]


class HandoffOffered(BaseModel):
    """The link, which is told this once, and the handoff."""

    url: str
    handoff: HandoffRead


class ChangeRead(BaseModel):
    """One line before and after redaction."""

    line: int
    before: str
    after: str


class ChangesRead(BaseModel):
    """Lines that redaction changed; ask again with `after` = `next` while that is not null."""

    changes: list[ChangeRead]
    next: int | None


class PictureRead(BaseModel):
    """A flame graph; `number` names it in its URL."""

    number: int
    title: str


class SharedHandoff(BaseModel):
    """What a recipient sees."""

    state: State
    title: str
    sender: str
    recipient: str
    summary: str
    pieces: list[HandedRead]
    pictures: list[PictureRead]
    bundle_sha256: str
    bundle_bytes: int
    expires_at: datetime
    messages: list[MessageRead]


class ShareOpened(BaseModel):
    """What a recipient sees, and the pass to send with every further request as `Casebook-Pass`."""

    share_pass: str
    handoff: SharedHandoff


class OriginDifference(BaseModel):
    """A verdict that is another one here than where the handoff was made; "" where there is none.

    `host` is "" where it is not known, and for a bundle made before hosts were told in it.
    """

    host: str
    phase: str
    signature: str
    title: str
    before: str
    after: str


class OriginRead(BaseModel):
    """A handoff that was added to the case, and what it says of itself.

    `reason` says why it cannot be read any more; `compared` counts the verdicts it tells.
    """

    evidence_id: UUID
    filename: str
    number: int = 0
    title: str = ""
    engine: str = ""
    compared: int = 0
    differences: list[OriginDifference] = []
    reason: str = ""


def redaction_of(report: dict[str, Any]) -> RedactionRead | None:
    """Return the report of redaction, None before there is one."""
    return RedactionRead.model_validate(report) if report else None
