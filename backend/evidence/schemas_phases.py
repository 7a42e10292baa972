"""Request schema of the phase endpoint."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from backend.core.http.request_body import RequestBody

Phase = Literal["before", "during", "after"]


class PhaseAssignment(RequestBody):
    """Evidence captured before, during or after the incident."""

    phase: Phase
    evidence_ids: Annotated[list[UUID], Field(min_length=1, max_length=5000)]
