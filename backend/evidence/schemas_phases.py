"""What the endpoint about phases takes."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

Phase = Literal["before", "during", "after"]


class PhasePlacing(BaseModel):
    """Evidence taken before the incident, during it, or after the change that shall have cured it."""

    model_config = ConfigDict(extra="forbid")

    phase: Phase
    evidence_ids: Annotated[list[UUID], Field(min_length=1, max_length=5000)]
