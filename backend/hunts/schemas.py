"""Requests and responses of retro-hunts."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.request_body import RequestBody
from backend.libraries.schemas import NAME, DecidingLine
from backend.models import Change


class HuntCreate(RequestBody):
    """A hunt for a version of a library; without `version_id` its newest version that was read.

    Without `applies` it is a preview: it counts what the version would change if it were active. With it,
    cases whose verdicts change are judged again by the libraries in use.
    """

    library: Annotated[str, Field(max_length=60, pattern=NAME)]
    version_id: UUID | None = None
    applies: bool = False


class HuntRead(BaseModel):
    """One hunt; its counts are of cases.

    `judged`: judged, the others hold no evidence that the signatures need. `gained`: a signature newly
    matches or is suspected, or matches and was suspected. `lost`: one no longer does. `failed`: keep their
    verdicts.
    """

    id: UUID
    library: str
    commit: str
    version_id: UUID
    applies: bool
    state: Literal["running", "done", "cancelled", "failed"]
    author: str
    created_at: datetime
    finished_at: datetime | None
    signatures: list[str]
    total: int
    done: int
    judged: int
    gained: int
    lost: int
    failed: int
    reason: str


class HuntedVerdict(BaseModel):
    """A verdict that becomes another, and what decides it; null where nothing is seen."""

    host: str
    phase: str
    signature: str
    title: str
    before: Literal["match", "suspect"] | None
    after: Literal["match", "suspect"] | None
    lines: list[DecidingLine]


class HuntedCaseRead(BaseModel):
    """A case whose verdicts a hunt changes, or would change; `reason` says why it could not be judged."""

    case_id: UUID
    case_number: int
    case_title: str
    change: Change
    at: datetime
    verdicts: list[HuntedVerdict]
    reason: str
