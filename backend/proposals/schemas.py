"""Requests and responses of proposed signatures."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field, field_validator

from backend.core.http.request_body import Line, RequestBody
from backend.findings.schemas import FindingRead
from backend.libraries.schemas import Name
from backend.signature_drafts.schemas import SIGNATURE_ID

MAX_TEXT = 256 << 10
MAX_COMMENT = 2000
State = Literal["proposed", "accepted", "rejected", "withdrawn"]
SignatureId = Annotated[str, Field(max_length=100, pattern=SIGNATURE_ID)]


def _encodable(text: str) -> str:
    if "\x00" in text or any("\ud800" <= one <= "\udfff" for one in text):
        raise ValueError("must be text: it has a null character or half of a surrogate pair")
    return text


class SignatureText(RequestBody):
    """The text of a `signature.yaml`."""

    text: Annotated[str, Field(max_length=MAX_TEXT)]

    _is_text = field_validator("text")(_encodable)


class ProposalCreate(SignatureText):
    """A signature for a library; `base` is the text that it was changed from, "" for a new one."""

    library: Name
    signature_id: SignatureId
    base: Annotated[str, Field(max_length=MAX_TEXT)] = ""

    _is_base_text = field_validator("base")(_encodable)


class ProposalUpdate(SignatureText):
    """A new text; `revision` is that of the text that it replaces."""

    revision: int


class ProposalReview(RequestBody):
    """The decision about a revision; a rejection says why."""

    revision: int
    comment: Annotated[Line, Field(max_length=MAX_COMMENT)] = ""


class ProposalSummary(BaseModel):
    """A proposed signature in a list."""

    id: UUID
    library: str
    signature_id: str
    state: State
    revision: int
    author: str
    reviewer: str
    comment: str
    created_at: datetime
    updated_at: datetime
    version_id: UUID | None


class ProposalRead(ProposalSummary):
    """A proposed signature with its text, and the text that it was changed from."""

    text: str
    base: str


class SignatureTextRead(BaseModel):
    """A `signature.yaml`; without `is_original` it is made of stored values, and has no comments."""

    signature_id: str
    text: str
    is_original: bool


class SignatureProblem(BaseModel):
    """What is wrong with a signature; line 0 where no line is known."""

    line: int
    text: str


class CheckedFixture(BaseModel):
    """The verdict of a signature on one of its own fixtures; `problems` are the deviations."""

    signature: str
    fixture: str
    expected: str
    verdict: str
    problems: list[str]


class CheckedLookAlike(BaseModel):
    """The verdict of a signature on a fixture that another signature matches."""

    signature: str
    fixture: str
    expected: str
    verdict: str
    fires: bool


class SignatureCheck(BaseModel):
    """A signature as it is written: problems, fixtures, look-alikes.

    `unread` fixtures were not judged, for size or time. `id` is "" where the text has none.
    """

    id: str
    problems: list[SignatureProblem]
    fixtures: list[CheckedFixture]
    look_alikes: list[CheckedLookAlike]
    unread: int


class SignatureCheckOnCase(BaseModel):
    """A signature as it is written, judged on a case: a finding for each host and phase, the surest first."""

    id: str
    problems: list[SignatureProblem]
    findings: list[FindingRead]
