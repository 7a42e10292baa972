"""Request and response schemas of handoffs; recipients get pseudonyms only."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal
from uuid import UUID

from pydantic import AliasChoices, BaseModel, Field, StringConstraints

from backend.core.http.request_body import RequestBody, Shown

MAX_TEXT_CHARS = 20_000
MAX_DAYS = 365
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), Shown]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TEXT_CHARS)]
State = Literal["preparing", "failed", "cancelled", "ready", "offered", "accepted", "answered", "closed"]

if TYPE_CHECKING:
    from backend.sandbox.documents import RedactionReport


class HandoffCreate(RequestBody):
    """Recipient, question and evidence of a handoff; default: all evidence."""

    recipient: Name
    question: Annotated[str, Field(max_length=MAX_TEXT_CHARS)] = ""
    evidence_ids: list[UUID] = Field(default=[])
    with_notes: bool = True


OpenClassName = Literal["account", "host", "id", "secret", "word"]
MAX_REPLACEMENTS = 2_000


class TokenReplacement(RequestBody):
    """An open token that is to be replaced: `name` of its class, and its text; `*` stands for digits."""

    name: OpenClassName
    text: Annotated[str, Field(min_length=1, max_length=200, pattern=r"[^*\s]")]


class ReplacementsWrite(RequestBody):
    """All open tokens that the handoff replaces; one that is missing is kept again."""

    tokens: Annotated[list[TokenReplacement], Field(max_length=MAX_REPLACEMENTS)]


class HandoffOffer(RequestBody):
    """A new link: days valid and maximum views (`null`: unlimited).

    `is_reviewed` confirms that possible leaks were reviewed; not needed without leaks. `reviewed_classes`
    confirms the same of the open tokens, for each class that has some.
    """

    days: Annotated[int, Field(ge=1, le=MAX_DAYS)] = 14
    views: Annotated[int, Field(ge=1, le=10_000)] | None = None
    is_reviewed: bool = False
    reviewed_classes: list[OpenClassName] = Field(default=[])


class MessageCreate(RequestBody):
    """A message of the sender, sent as it is, not redacted."""

    text: Text


class ShareOpen(RequestBody):
    """The secret of a link."""

    secret: Annotated[str, Field(min_length=1, max_length=200)]


class SharedMessage(RequestBody):
    """A message of a recipient, with their name."""

    name: Name
    text: Text


class SharedAccept(RequestBody):
    """Acceptance by a recipient."""

    name: Name


class MessageRead(BaseModel):
    """One message."""

    id: UUID
    author: str
    from_recipient: bool
    text: str
    at: datetime


class RedactedFileRead(BaseModel):
    """One redacted file; `counts` is the number of replacements by kind of name."""

    number: int
    name: str
    path: str
    sha256: str
    size_bytes: int
    lines: int
    changed: int
    counts: dict[str, int]
    evidence_id: UUID | None = None


class VerdictChange(BaseModel):
    """A verdict changed by leaving evidence out (`omission`) or by replacing names (`redaction`)."""

    cause: Literal["omission", "redaction"]
    signature: str
    title: str
    before: str
    after: str
    what: list[str]


class LeakRead(BaseModel):
    """A place where the leak scan still finds a name."""

    where: str
    line: int
    what: str
    written: str


class OpenTokenRead(BaseModel):
    """A token that no rule classified: its number, and its first place with the text around it.

    `*` in `text` stands for the digits of a family such as `web*`, which has `names` different names.
    """

    text: str
    count: int
    where: str
    line: int
    before: str
    behind: str
    names: int = 1


class OpenClassRead(BaseModel):
    """Open tokens of one class, likeliest name first; `distinct` also counts those that are not listed."""

    name: OpenClassName
    distinct: int
    tokens: list[OpenTokenRead]


class OmittedEvidence(BaseModel):
    """Evidence that cannot be handed over, and the reason."""

    name: str
    reason: str


class VerdictCounts(BaseModel):
    """Number of verdicts compared with those before redaction, and of those that the case page lists."""

    compared: int
    # The second name is that of stored reports of earlier versions.
    listed: Annotated[int, Field(validation_alias=AliasChoices("listed", "told"))]


class RedactionRead(BaseModel):
    """Redaction report: replacements and distinct names by kind."""

    counts: dict[str, int]
    kinds: dict[str, int]
    kept_words: list[str]
    left_out: list[OmittedEvidence]
    pieces: list[RedactedFileRead]
    verdicts: VerdictCounts
    differences: list[VerdictChange]
    leaks: list[LeakRead]
    open_classes: list[OpenClassRead] = []


class ShareRead(BaseModel):
    """One link; the secret is not shown again."""

    id: UUID
    created_by: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    views: int
    views_left: int | None
    opened_at: datetime | None


class ReplacementRead(BaseModel):
    """An open token that the sender chose to replace: `name` of its class, and its text."""

    name: OpenClassName
    text: str


class HandoffRead(BaseModel):
    """One handoff as seen by its sender; `redaction` and `summary` are null until it is ready."""

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
    replacements: list[ReplacementRead]
    shares: list[ShareRead]
    messages: list[MessageRead]


class HandoffOffered(BaseModel):
    """The link, shown once, and the handoff."""

    url: str
    handoff: HandoffRead


class RedactedLineRead(BaseModel):
    """One line before and after redaction."""

    line: int
    before: str
    after: str


class PictureRead(BaseModel):
    """A flame graph; `number` names it in its URL."""

    number: int
    title: str


class SharedHandoff(BaseModel):
    """A handoff as seen by a recipient."""

    state: State
    title: str
    sender: str
    recipient: str
    summary: str
    pieces: list[RedactedFileRead]
    pictures: list[PictureRead]
    bundle_sha256: str
    bundle_bytes: int
    expires_at: datetime
    messages: list[MessageRead]


class ShareOpened(BaseModel):
    """A handoff as seen by a recipient, and the pass to send as `Casebook-Pass` in further requests."""

    share_pass: str
    handoff: SharedHandoff


class OriginDifference(BaseModel):
    """A verdict that differs from the one in the handoff; "" where there is none.

    `host` is "" where unknown, and for older bundles, which do not record hosts.
    """

    host: str
    phase: str
    signature: str
    title: str
    before: str
    after: str


class OriginRead(BaseModel):
    """A handoff imported into the case, with its own statements.

    `reason` says why it cannot be read any more; `compared` is the number of its verdicts.
    """

    evidence_id: UUID
    filename: str
    number: int = 0
    title: str = ""
    engine: str = ""
    compared: int = 0
    differences: list[OriginDifference] = []
    reason: str = ""


def redaction_of(report: RedactionReport) -> RedactionRead | None:
    """Return the redaction report, None before there is one."""
    return RedactionRead.model_validate(report) if report else None
