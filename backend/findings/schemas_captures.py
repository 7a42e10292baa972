"""What the endpoints about captures that were run take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from backend.evidence.schemas import EvidenceStateName
from backend.findings.schemas import ClauseState

EvidenceIds = Annotated[list[UUID], Field(max_length=200)]


class CaptureRunCreate(BaseModel):
    """Somebody ran a capture that the case asks for; now, unless `ran_at` says when."""

    model_config = ConfigDict(extra="forbid")

    capture: str = Field(min_length=1, max_length=100)
    ran_at: AwareDatetime | None = None
    evidence_ids: EvidenceIds = []


class CaptureRunUpdate(BaseModel):
    """The evidence that a run brought, in place of what was said before."""

    model_config = ConfigDict(extra="forbid")

    evidence_ids: EvidenceIds


class CaptureResultRead(BaseModel):
    """Evidence that a run brought."""

    evidence_id: UUID
    name: str
    state: EvidenceStateName


class SettledStateRead(BaseModel):
    """A condition the capture was to settle, and what is known of it now, on any host."""

    signature: str
    clause: str
    title: str
    state: ClauseState


class CaptureRunRead(BaseModel):
    """A capture that was run, what came of it, and what that settled."""

    id: UUID
    capture: str
    title: str
    command: str
    author: str
    ran_at: datetime
    results: list[CaptureResultRead]
    settles: list[SettledStateRead]
