"""Request and response schemas of reprocessing."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from backend.core.http.request_body import Line, RequestBody
from backend.models import Change


class ReprocessSelect(RequestBody):
    """Which cases to read and judge again: those that another version judged or read; with `all` every one.

    `since` and `until` are about when they were opened; `case` is a number or UUID.
    """

    all: bool = False
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    case: Annotated[Line, Field(max_length=40)] | None = None


class ReprocessCount(BaseModel):
    """What a run would do now: cases to judge, files to read again with their bytes, drafts to judge."""

    cases: int
    files: int
    file_bytes: int
    drafts: int


class ReprocessRunRead(BaseModel):
    """One run; `changes` counts its cases by the most important change of each.

    `total` is what there was to do when it began, cases and drafts; `reason` says who cancelled it, or why it
    failed.
    """

    id: UUID
    state: Literal["running", "done", "cancelled", "failed"]
    author: str
    created_at: datetime
    finished_at: datetime | None
    takes_all: bool
    since: datetime | None
    until: datetime | None
    case_number: int | None
    total: int
    done: int
    changes: dict[Change, int]
    reason: str


class ReprocessedVerdict(BaseModel):
    """One verdict that became another; null where the signature neither matched nor was suspect."""

    host: str
    phase: str
    signature: str
    title: str
    before: Literal["match", "suspect"] | None
    after: Literal["match", "suspect"] | None


class ReprocessedCaseRead(BaseModel):
    """What a run changed in one case; `before` and `after` are its headlines.

    `reason` says why the case failed, or which files were not read again; they keep what they had.
    """

    case_id: UUID
    case_number: int
    case_title: str
    change: Change
    at: datetime
    files_read: int
    before: str
    after: str
    verdicts: list[ReprocessedVerdict]
    reason: str
