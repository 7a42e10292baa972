"""Request and response schemas of signature drafts."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.request_body import Line, RequestBody
from backend.handoffs.schemas import (
    MAX_REPLACEMENTS,
    LeakRead,
    OmittedEvidence,
    OpenClassRead,
    ReplacementRead,
    TokenReplacement,
)

SIGNATURE_ID = r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$"


class SignatureDraftCreate(RequestBody):
    """The id of a new signature, such as `mm/my-stall`, and the title of its story.

    "" takes the title of the case, or the first sentence of the cause where the title names files only.
    `replacements` are open tokens of an earlier draft that this one replaces.
    """

    signature_id: Annotated[str, Field(max_length=100, pattern=SIGNATURE_ID)]
    title: Annotated[Line, Field(max_length=200)] = ""
    replacements: list[TokenReplacement] = Field(default=[], max_length=MAX_REPLACEMENTS)


class DraftLookAlikeRead(BaseModel):
    """A fixture of the library that resembles the case; `similarity` is the share of common features.

    If the draft `fires` on it, both are the same pathology, or the draft lacks an excluding condition.
    """

    signature: str
    fixture: str
    similarity: float
    verdict: str
    fires: bool


class SignatureDraftReport(BaseModel):
    """The drafted folder: its conditions, lint problems and look-alikes, and what is left for a person.

    `verdict` is that of the draft on its own redacted evidence. `leaks` and `open_classes` are to be reviewed
    before the folder is published; `open_token_count` also counts those that are not listed.
    """

    verdict: str
    conditions: list[str]
    problems: list[str]
    look_alikes: list[DraftLookAlikeRead]
    left: list[str]
    texts: int
    left_out: list[OmittedEvidence]
    leaks: list[LeakRead]
    leak_count: int
    open_classes: list[OpenClassRead]
    open_token_count: int


class SignatureDraftRead(BaseModel):
    """One draft; `stage` and `progress_share` say how far it is, `report` is null until it is ready."""

    id: UUID
    state: Literal["drafting", "ready", "failed"]
    signature_id: str
    author: str
    created_at: datetime
    stage: str
    progress_share: float
    reason: str
    replacements: list[ReplacementRead]
    zip_bytes: int | None
    report: SignatureDraftReport | None
