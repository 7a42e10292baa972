"""Request and response schemas of labels."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.request_body import Line, RequestBody
from backend.models.label import Opinion
from signatures.documents.finding import Verdict


class LabelWrite(RequestBody):
    """Your label on the finding with this `signature`, `host` and `phase`."""

    signature: Line = Field(min_length=1, max_length=200)
    host: str = Field(default="", max_length=300)
    phase: str = Field(default="during", max_length=20)
    opinion: Opinion
    misled_clause: str = Field(default="", max_length=200)
    remark: str = Field(default="", max_length=1000)


class LabelRead(BaseModel):
    """A label on the finding of a signature for one host and phase.

    `version` and `verdict` are those at the time of labelling. `is_mine`: you may remove it.
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
