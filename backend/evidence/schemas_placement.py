"""Host and phase of evidence in requests."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from backend.core.http.request_body import RequestBody, Shown

Phase = Literal["before", "during", "after"]
Basis = Literal["", "stated", "assumed", "set"]
HostName = Annotated[str, StringConstraints(min_length=1, max_length=253, strip_whitespace=True), Shown]


class EvidencePlacement(RequestBody):
    """Host or phase of evidence; null returns to what the evidence and its folders suggest.

    A field that is not sent stays as it is.
    """

    evidence_ids: Annotated[list[UUID], Field(min_length=1, max_length=5000)]
    host: HostName | None = None
    phase: Phase | None = None
