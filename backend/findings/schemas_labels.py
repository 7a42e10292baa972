"""What the endpoints about labels take and give."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from backend.findings.schemas import Verdict
from backend.models.label import Opinion


class LabelWrite(BaseModel):
    """Your word on a finding: `signature`, `host` and `phase` as the finding tells them."""

    model_config = ConfigDict(extra="forbid")

    signature: str = Field(min_length=1, max_length=200)
    host: str = Field(default="", max_length=300)
    phase: str = Field(default="during", max_length=20)
    opinion: Opinion
    misled_clause: str = Field(default="", max_length=200)
    remark: str = Field(default="", max_length=1000)


class LabelRead(BaseModel):
    """What somebody said of a signature for one host and phase.

    `version` and `verdict` are those that were looked at; a later judgement may say otherwise. `is_mine`: you
    may take it back.
    """

    id: UUID
    signature: str
    host: str
    phase: str
    opinion: Opinion
    misled_clause: str
    remark: str
    version: int
    verdict: Verdict
    author: str
    is_mine: bool
    created_at: datetime
    updated_at: datetime
