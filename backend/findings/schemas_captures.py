"""Request and response schemas of capture runs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.request_body import RequestBody
from backend.core.http.request_times import RequestTime
from backend.evidence.schemas import EvidenceStateName
from signatures.documents.finding import ConditionState

EvidenceIds = Annotated[list[UUID], Field(max_length=200)]


class CaptureRunCreate(RequestBody):
    """Record of a run of a recommended capture; `ran_at` defaults to now."""

    capture: str = Field(min_length=1, max_length=100)
    ran_at: RequestTime | None = None
    evidence_ids: EvidenceIds = Field(default=[])


class CaptureRunUpdate(RequestBody):
    """The result evidence of a run, replacing earlier links."""

    evidence_ids: EvidenceIds


class CaptureResultRead(BaseModel):
    """Result evidence of a run."""

    evidence_id: UUID
    name: str
    state: EvidenceStateName


class SettledStateRead(BaseModel):
    """A condition to be decided by the capture, with its current state on any host."""

    signature: str
    clause: str
    title: str
    state: ConditionState


class CaptureRunRead(BaseModel):
    """A capture run with its evidence and the conditions it decided."""

    id: UUID
    capture: str
    title: str
    command: str
    author: str
    ran_at: datetime
    results: list[CaptureResultRead]
    settles: list[SettledStateRead]
