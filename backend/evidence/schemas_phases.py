"""Request schema of the phase endpoint."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

Phase = Literal["before", "during", "after"]


class PhaseAssignment(BaseModel):
    """Evidence captured before, during or after the incident."""

    model_config = ConfigDict(extra="forbid")

    phase: Phase
    evidence_ids: Annotated[list[UUID], Field(min_length=1, max_length=5000)]
